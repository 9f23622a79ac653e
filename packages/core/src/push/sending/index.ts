// What pushes are written with, which needs no other code: a thread that sends them and nothing else loads little.
export { isTokenUri } from "../../integrations/token-uri.ts"
export * from "../deliveries/payload.ts"
