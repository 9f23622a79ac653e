/** Identifiers and randomness. */
export interface Ids {
  /** A new uuid of version 7, greater than every one this process made before [A10]. */
  uuid(): string
  /** `length` random characters out of `0-9A-Za-z`, from a cryptographic source. */
  base62(length: number): string
  /** A secret of 32 random bytes, base64url: what a magic link carries. */
  secret(): string
  /** A random whole number, 0 ≤ n < `below`. */
  integer(below: number): number
}
