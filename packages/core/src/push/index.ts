export { PushToken } from "./push-token.ts"
