import { Schema } from "effect"
import { Text } from "../schema.ts"

/** The longest password, in characters. Hashing longer ones could be used to overload the service [B7]. */
export const longestPassword = 128

/** How many characters a password has, as people count them. */
export const passwordLength = (password: string): number => [...password].length

/** A new password, of at most 128 characters. The shortest length is checked by each signup. */
export const Password = Text.check(
  Schema.makeFilter(
    (password: string) =>
      passwordLength(password) <= longestPassword || `must be at most ${longestPassword} characters`,
  ),
)

/** A password to verify. One that is too long becomes the empty one, which takes as long to verify and never matches. */
export const boundPassword = (password: string): string => (passwordLength(password) > longestPassword ? "" : password)
