import { propertyAt } from "../../segments/facts.ts"
import type { UserRow } from "../../users/user.ts"

/** What texts are filled with. */
export type TextSource = Pick<UserRow, "display_name" | "properties">

// A default ends at the first pair of braces, of either kind.
const placeholder = /\{\{(display_name|properties(?:\.[^.{}|]+)+)(?:\|((?:(?!\{\{|\}\}).)*))?\}\}/gs

const formatValue = (value: unknown): string | null => {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null
}

const readValue = (path: string, user: TextSource | null): string | null => {
  if (user === null) return null
  if (path === "display_name") return user.display_name
  return formatValue(propertyAt(user.properties, path.split(".").slice(1)))
}

/**
 * `template` with `{{display_name}}` and `{{properties.a.b|default}}` replaced by what the user has there [H4.3]. What is
 * missing is its default, or empty; objects, lists and null count as missing. Other double braces stay as they are, and what
 * was filled in is not filled again. Without a user everything is missing.
 */
export const fillText = (template: string, user: TextSource | null): string =>
  template.replace(placeholder, (_, path: string, otherwise: string | undefined) => {
    return readValue(path, user) ?? otherwise ?? ""
  })
