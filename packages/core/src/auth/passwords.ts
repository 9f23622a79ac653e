import { Schema } from "effect"
import { Text } from "../schema.ts"

/** The longest password, in characters: beyond it, hashing would be a way to keep the service busy [B7]. */
export const longestPassword = 128

/** How many characters a password has, as people count them. */
export const passwordLength = (password: string): number => [...password].length

/** A password that somebody chooses, of at most 128 characters. How short it may be is for the row to say. */
export const Password = Text.check(
  Schema.makeFilter(
    (password: string) =>
      passwordLength(password) <= longestPassword || `must have at most ${longestPassword} characters`,
  ),
)

/** A password that is presented: one that nobody can have is the empty one, which takes as long and never matches. */
export const boundPassword = (password: string): string => (passwordLength(password) > longestPassword ? "" : password)
