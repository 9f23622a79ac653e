import { Schema } from "effect"
import { UserAchievement } from "../achievements/achievement.ts"
import { AccountLink } from "../auth/account-link.ts"
import { type ColumnKind, describeColumns } from "../columns.ts"
import { Entitlement } from "../entitlements/entitlement.ts"
import { EngagementEvent } from "../events/event.ts"
import { LeaderboardEntry } from "../leaderboards/leaderboard.ts"
import { PushToken } from "../push/push-token.ts"
import { SegmentMembership } from "../segments/membership.ts"
import { StreakPeriodRow } from "../streaks/streak-rows.ts"
import { UserStreak } from "../streaks/user-streak.ts"
import { UserRow } from "../users/user.ts"

/** The formats of a file of rows. */
export const ExportFormat = Schema.Literals(["csv", "ndjson"])
export type ExportFormat = typeof ExportFormat.Type

/** How the values of a column are written: as they are stored, or `words`, a list of words without `|`. */
export type CellKind = ColumnKind | "words"

/** A column of a file. */
export interface ExportColumn {
  readonly name: string
  readonly kind: CellKind
  readonly isNullable: boolean
}

/** The columns of a file, in their order. */
export type ExportColumns = ReadonlyArray<ExportColumn>

/** The columns of an export of users. `platform_strings` and `push_token_count` are of the active devices. */
export const userExportColumns: ExportColumns = [
  ...describeColumns(UserRow, ["id", "email", "anonymous_id", "created_at", "last_seen_at", "properties"]),
  { name: "platform_strings", kind: "words", isNullable: false },
  { name: "push_token_count", kind: "count", isNullable: false },
]

/** The columns of an export of events. */
export const eventExportColumns: ExportColumns = describeColumns(EngagementEvent)

/** The streaks of a user, as they are when they are read [E2]. */
export const userStreakColumns: ExportColumns = describeColumns(UserStreak)

/** A table that has rows of a user: the columns that may be seen, and those that its rows are sorted by, unique in a user. */
export interface SectionShape {
  readonly columns: ExportColumns
  readonly key: ReadonlyArray<string>
}

const byId = (columns: ExportColumns): SectionShape => ({ columns, key: ["id"] })

/**
 * The tables that the file about one user is read from (spec: data-access bundle). Of a record with columns that nobody may
 * see, those that may be seen are named.
 */
export const storedSections = {
  // The hash of the password is nobody's business.
  app_users: byId(
    describeColumns(UserRow, [
      "id",
      "email",
      "display_name",
      "anonymous_id",
      "auth_providers",
      "properties",
      "first_seen_at",
      "last_seen_at",
      "external_id",
      "avatar_url",
      "timezone",
      "is_disabled",
      "created_at",
      "updated_at",
    ]),
  ),
  account_links: byId(describeColumns(AccountLink)),
  push_tokens: byId(describeColumns(PushToken)),
  user_entitlements: byId(describeColumns(Entitlement)),
  segment_memberships: { key: ["segment_id"], columns: describeColumns(SegmentMembership) },
  streak_events: { key: ["streak_definition_id", "period_key"], columns: describeColumns(StreakPeriodRow) },
  user_achievements: byId(describeColumns(UserAchievement)),
  leaderboard_entries: byId(describeColumns(LeaderboardEntry)),
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
