export { nativePasswordHashers, type PasswordHasherSettings } from "./password-hasher.ts"
