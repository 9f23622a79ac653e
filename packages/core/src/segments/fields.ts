import { joinChoices } from "../phrases.ts"
import { isText, isUuid } from "../schema.ts"

/** Columns of a user that hold text. */
export const textColumns = [
  "id",
  "email",
  "display_name",
  "anonymous_id",
  "external_id",
  "avatar_url",
  "timezone",
] as const
export type TextColumn = (typeof textColumns)[number]

/** Columns of a user that hold an instant. `email_verified_at` is missing while the email is not proven [B15]. */
export const timestampColumns = [
  "first_seen_at",
  "last_seen_at",
  "created_at",
  "updated_at",
  "email_verified_at",
] as const
export type TimestampColumn = (typeof timestampColumns)[number]

/** The meaning of a field's name [E6]. Rules cannot read columns that are not listed here, such as credentials. */
export type FieldTarget =
  | { readonly kind: "text"; readonly column: TextColumn }
  | { readonly kind: "timestamp"; readonly column: TimestampColumn }
  | { readonly kind: "boolean"; readonly column: "is_disabled" }
  /** The providers of the user's identities. Never missing. */
  | { readonly kind: "list"; readonly column: "auth_providers" }
  /** The keys of nested objects, outermost first. Inherited keys are not read. */
  | { readonly kind: "property"; readonly path: ReadonlyArray<string> }
  | { readonly kind: "entitlement"; readonly entitlement_id: string }
  /** Whether the user has unlocked the achievement of this key. Never missing; an unknown key is never unlocked. */
  | { readonly kind: "achievement"; readonly key: string }
  | { readonly kind: "streak"; readonly streak_definition_id: string }
  /** The user's total XP. Never missing; 0 without entries. */
  | { readonly kind: "xp" }
  /** The user's balance in the currency of this code, as it is read: missing where there is no such currency. */
  | { readonly kind: "currency"; readonly code: string }

/** What rules may ask for, in words. */
export const fieldPhrase = joinChoices([
  ...textColumns,
  ...timestampColumns,
  "is_disabled",
  "auth_providers",
  "xp.total",
  ...["properties.<name>", "entitlements.<id>", "achievements.<key>", "currencies.<code>"],
  "streaks.<definition id>.current_count",
])

const longestField = 512
const streakField = /^streaks\.([^.]*)\.current_count$/

const after = (prefix: string, field: string): string | null =>
  field.startsWith(prefix) && field.length > prefix.length ? field.slice(prefix.length) : null

/** The path that a rule sums: like that of a field, `properties.` may be left out. Null for what is no path. */
export const summedPath = (property: string): ReadonlyArray<string> | null => {
  const target = fieldTarget(property.startsWith("properties.") ? property : `properties.${property}`)
  return target?.kind === "property" ? target.path : null
}

/** The target of a field's name; null for an unknown field. */
export const fieldTarget = (field: string): FieldTarget | null => {
  if (!isText(field, 1, longestField)) return null
  const text = textColumns.find((column) => column === field)
  if (text !== undefined) return { kind: "text", column: text }
  const timestamp = timestampColumns.find((column) => column === field)
  if (timestamp !== undefined) return { kind: "timestamp", column: timestamp }
  if (field === "is_disabled") return { kind: "boolean", column: field }
  if (field === "auth_providers") return { kind: "list", column: field }
  if (field === "xp.total") return { kind: "xp" }
  const path = after("properties.", field)?.split(".")
  if (path !== undefined) return path.includes("") ? null : { kind: "property", path }
  const key = after("achievements.", field)
  if (key !== null) return { kind: "achievement", key }
  const code = after("currencies.", field)
  if (code !== null) return { kind: "currency", code }
  const entitlement_id = after("entitlements.", field)
  if (entitlement_id !== null) return { kind: "entitlement", entitlement_id }
  const definition = streakField.exec(field)?.[1]
  return isUuid(definition) ? { kind: "streak", streak_definition_id: definition.toLowerCase() } : null
}
