export { type Access, type DeveloperCaller, makeAccess, type SessionCaller } from "./access.ts"
export { limitLookups } from "./limit-lookups.ts"
