export { nativePasswordHasher, type PasswordHasherSettings } from "./password-hasher.ts"
