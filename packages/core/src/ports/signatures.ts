/** What a private key can sign with [H1.1]. */
export type KeyAlgorithm = "ES256" | "RS256"

/** Signatures of webhooks and keys of providers. Nothing here fails, waits or logs. */
export interface Signatures {
  /** The HMAC-SHA256 of `data`. */
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array
  /** The SHA-256 of `data`, in lower-case hex. */
  sha256(data: Uint8Array): string
  /** Whether both are the same bytes, of whatever length. How long it takes tells nothing about where they differ. */
  equal(a: Uint8Array, b: Uint8Array): boolean
  /** What a private key in PKCS8 PEM signs with: ES256 (P-256), RS256 (RSA of 2,048 bits or more); null for anything else. */
  readKeyAlgorithm(pem: string): KeyAlgorithm | null
}
