export { type Access, type DeveloperCaller, makeAccess, type SessionCaller } from "./access.ts"
