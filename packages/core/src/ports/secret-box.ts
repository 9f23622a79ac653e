import type { Effect } from "effect"

/**
 * Encrypts what nobody may read in the database [H1.2]. It has a list of keys: the first seals, all of them open, so that a key
 * is rotated by putting a new one in front. A sealed text names its key by a fingerprint, which tells nothing about the key.
 */
export interface SecretBox {
  /** Seals `text`. It opens with the same `context` only, so that what is sealed for one place is worth nothing in another. */
  seal(text: string, context: string): Effect.Effect<string>
  /** The text; null where the key is not in the list, the context is another, anything was altered, or it is no sealed text. */
  open(sealed: string, context: string): Effect.Effect<string | null>
  /** The fingerprint of the key that a text is sealed with; null for what is no sealed text. */
  readFingerprint(sealed: string): string | null
  /** The fingerprints of the keys: that of the first seals. */
  readonly fingerprints: readonly [string, ...ReadonlyArray<string>]
}
