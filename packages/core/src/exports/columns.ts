import { Schema } from "effect"

/** The formats of a file of rows. */
export const ExportFormat = Schema.Literals(["csv", "ndjson"])
export type ExportFormat = typeof ExportFormat.Type

/** How the values of a column are written. `count` is a whole number, `words` a list of words without `|`. */
export type CellKind = "uuid" | "text" | "instant" | "day" | "boolean" | "count" | "number" | "json" | "words"

/** A column, and whether it can be null. */
export type ExportColumn = readonly [name: string, kind: CellKind, nullable?: "null"]

/** The columns of a file, in their order. */
export type ExportColumns = ReadonlyArray<ExportColumn>

/** The columns of an export of users. `platform_strings` and `push_token_count` are of the active devices. */
export const userExportColumns: ExportColumns = [
  ["id", "uuid"],
  ["email", "text", "null"],
  ["anonymous_id", "text"],
  ["created_at", "instant"],
  ["last_seen_at", "instant"],
  ["properties", "json"],
  ["platform_strings", "words"],
  ["push_token_count", "count"],
]

/** The columns of an export of events. */
export const eventExportColumns: ExportColumns = [
  ["id", "uuid"],
  ["app_user_id", "uuid"],
  ["event_name", "text"],
  ["properties", "json"],
  ["occurred_at", "instant"],
]

/** The streaks of a user, as they are when they are read [E2]. */
export const userStreakColumns: ExportColumns = [
  ["id", "uuid"],
  ["app_user_id", "uuid"],
  ["streak_definition_id", "uuid"],
  ["current_count", "count"],
  ["longest_count", "count"],
  ["freezes_remaining", "count"],
  ["status", "text"],
  ["last_period", "day", "null"],
  ["settled_period", "day", "null"],
  ["last_event_at", "instant", "null"],
  ["expires_at", "instant", "null"],
  ["updated_at", "instant"],
]

/** A table that has rows of a user: the columns that may be seen, and those that its rows are sorted by, unique in a user. */
export interface SectionShape {
  readonly columns: ExportColumns
  readonly key: ReadonlyArray<string>
}

const byId = (columns: ExportColumns): SectionShape => ({ columns: [["id", "uuid"], ...columns], key: ["id"] })

/** The tables that the file about one user is read from (spec: data-access bundle). */
export const storedSections = {
  // The hash of the password is nobody's business.
  app_users: byId([
    ["email", "text", "null"],
    ["display_name", "text"],
    ["anonymous_id", "text"],
    ["auth_providers", "json"],
    ["properties", "json"],
    ["first_seen_at", "instant"],
    ["last_seen_at", "instant"],
    ["external_id", "text", "null"],
    ["avatar_url", "text", "null"],
    ["timezone", "text", "null"],
    ["is_disabled", "boolean"],
    ["created_at", "instant"],
    ["updated_at", "instant"],
  ]),
  account_links: byId([
    ["app_user_id", "uuid"],
    ["provider", "text"],
    ["provider_id", "text"],
    ["created_at", "instant"],
  ]),
  push_tokens: byId([
    ["app_user_id", "uuid"],
    ["platform", "text"],
    ["provider", "text"],
    ["token", "text"],
    ["is_active", "boolean"],
    ["created_at", "instant"],
  ]),
  user_entitlements: byId([
    ["app_user_id", "uuid"],
    ["entitlement_id", "text"],
    ["is_active", "boolean"],
    ["store", "text", "null"],
    ["product_id", "text", "null"],
    ["purchase_date", "instant", "null"],
    ["expiration_date", "instant", "null"],
    ["period_type", "text", "null"],
    ["raw_data", "json"],
    ["updated_at", "instant"],
  ]),
  segment_memberships: {
    key: ["segment_id"],
    columns: [
      ["segment_id", "uuid"],
      ["app_user_id", "uuid"],
      ["is_manual", "boolean"],
      ["added_at", "instant"],
    ],
  },
  streak_events: {
    key: ["streak_definition_id", "period_key"],
    columns: [
      ["app_user_id", "uuid"],
      ["streak_definition_id", "uuid"],
      ["period_key", "day"],
      ["kind", "text"],
      ["occurred_at", "instant"],
    ],
  },
  user_achievements: byId([
    ["app_user_id", "uuid"],
    ["achievement_id", "uuid"],
    ["unlocked_at", "instant"],
  ]),
  leaderboard_entries: byId([
    ["leaderboard_id", "uuid"],
    ["app_user_id", "uuid"],
    ["window_start", "day"],
    ["score", "number"],
    ["rank", "count", "null"],
    ["reached_at", "instant"],
  ]),
  engagement_events: { key: ["occurred_at", "id"], columns: eventExportColumns },
} as const satisfies Readonly<Record<string, SectionShape>>

/** A table that the file about one user is read from. */
export type StoredSection = keyof typeof storedSections

/** A part of the file about one user: streaks are settled to the present, all else is as it is stored. */
export type SectionName = StoredSection | "user_streaks"

/** The parts of the file about one user, in the spec's order. */
export const sectionNames: ReadonlyArray<SectionName> = [
  "app_users",
  "account_links",
  "push_tokens",
  "user_entitlements",
  "segment_memberships",
  "user_streaks",
  "streak_events",
  "user_achievements",
  "leaderboard_entries",
  "engagement_events",
]
