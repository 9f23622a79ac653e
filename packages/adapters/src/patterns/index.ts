export { re2Patterns } from "./re2-patterns.ts"
