/** Identifiers and randomness. */
export interface Ids {
  /** A new uuid of version 7, greater than all earlier ones of this process [A10]. */
  uuid(): string
  /** `length` random characters out of `0-9A-Za-z`, from a cryptographic source. */
  base62(length: number): string
  /** A secret of 32 random bytes, base64url: the token of a magic link. */
  secret(): string
  /** A random whole number, 0 ≤ n < `below`. */
  integer(below: number): number
}
