import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { SecretBox } from "@hearth/core"
import { Effect } from "effect"
import type { SecretKey, SecretKeys } from "./secret-keys.ts"

const cipher = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

/** The version of the form, the fingerprint of the key, then nonce, tag and ciphertext in base64url. */
const sealedPattern = /^v1\.([0-9a-f]{12})\.([\w-]{38,})$/

const additionalData = (fingerprint: string, context: string) => Buffer.from(`v1\0${fingerprint}\0${context}`)

const seal = ({ fingerprint, key }: SecretKey, text: string, context: string): string => {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  encryption.setAAD(additionalData(fingerprint, context))
  const body = Buffer.concat([encryption.update(text, "utf8"), encryption.final()])
  return `v1.${fingerprint}.${Buffer.concat([nonce, encryption.getAuthTag(), body]).toString("base64url")}`
}

const open = ({ fingerprint, key }: SecretKey, encoded: string, context: string): string | null => {
  const bytes = Buffer.from(encoded, "base64url")
  // Other ways to write the same bytes are an alteration too.
  if (bytes.toString("base64url") !== encoded || bytes.length < nonceBytes + tagBytes) return null
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decryption.setAAD(additionalData(fingerprint, context))
  decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    const body = decryption.update(bytes.subarray(nonceBytes + tagBytes))
    return Buffer.concat([body, decryption.final()]).toString("utf8")
  } catch {
    return null
  }
}

/** Seals with AES-256-GCM: a random nonce per text, the context and the key's fingerprint authenticated [H1.2]. */
export const aesSecretBox = (keys: SecretKeys): SecretBox => {
  const byFingerprint = new Map(keys.map((key) => [key.fingerprint, key]))
  const [first, ...others] = keys
  return {
    fingerprints: [first.fingerprint, ...others.map(({ fingerprint }) => fingerprint)],
    readFingerprint: (sealed) => sealedPattern.exec(sealed)?.[1] ?? null,
    seal: (text, context) => Effect.sync(() => seal(first, text, context)),
    open: (sealed, context) =>
      Effect.sync(() => {
        const [, fingerprint = "", encoded = ""] = sealedPattern.exec(sealed) ?? []
        const key = byFingerprint.get(fingerprint)
        return key === undefined ? null : open(key, encoded, context)
      }),
  }
}
