import { createHmac, createPrivateKey, hash, randomBytes, timingSafeEqual } from "node:crypto"
import type { KeyAlgorithm, Signatures } from "@hearth/core"

// One key and nothing else: the parser takes the first of several, and other kinds of PEM too.
const pkcs8 = /^\s*-----BEGIN PRIVATE KEY-----\r?\n[\w+/=\r\n]+-----END PRIVATE KEY-----\s*$/

// What jose and Google ask for.
const leastRsaBits = 2_048

const parse = (pem: string) => {
  try {
    return createPrivateKey(pem)
  } catch {
    // The parser's error may quote the text.
    return null
  }
}

const readKeyAlgorithm = (pem: string): KeyAlgorithm | null => {
  const key = pkcs8.test(pem) ? parse(pem) : null
  const { namedCurve, modulusLength = 0 } = key?.asymmetricKeyDetails ?? {}
  if (key?.asymmetricKeyType === "ec" && namedCurve === "prime256v1") return "ES256"
  return key?.asymmetricKeyType === "rsa" && modulusLength >= leastRsaBits ? "RS256" : null
}

const hmacSha256 = (key: Uint8Array, data: Uint8Array) => createHmac("sha256", key).update(data).digest()

// Hashes of one length are compared, so that the time does not tell the length of a secret. Only this process knows the key.
const comparisonKey = randomBytes(32)

/** Signatures by `node:crypto`. */
export const nodeSignatures: Signatures = {
  hmacSha256,
  sha256: (data) => hash("sha256", data, "hex"),
  equal: (a, b) => timingSafeEqual(hmacSha256(comparisonKey, a), hmacSha256(comparisonKey, b)),
  readKeyAlgorithm,
}
