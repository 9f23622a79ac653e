import { Schema } from "effect"
import { hasLength, Text } from "../schema.ts"

/** The longest password, in characters. Hashing longer ones could be used to overload the service [B7]. */
export const longestPassword = 128

/** A new password, of at most 128 characters. The shortest length is checked by each signup. */
export const Password = Text.check(
  Schema.makeFilter(
    (password: string) => hasLength(password, 0, longestPassword) || `must be at most ${longestPassword} characters`,
  ),
)

/** A password to verify. One that is too long becomes the empty one, which takes as long to verify and never matches. */
export const boundPassword = (password: string): string => (hasLength(password, 0, longestPassword) ? password : "")
