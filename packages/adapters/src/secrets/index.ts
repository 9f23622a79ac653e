export { aesSecretBox } from "./secret-box.ts"
export { readOrCreateSecretKeys, secretKeyFile } from "./secret-key-file.ts"
export {
  generateSecretKey,
  InvalidSecretKeys,
  loadSecretKeys,
  type SecretKey,
  type SecretKeys,
} from "./secret-keys.ts"
export { secretSettings } from "./settings.ts"
export { nodeSignatures } from "./signatures.ts"
