import { Schema, Struct } from "effect"
import { failure } from "../failure.ts"
import { Count, Day, Finite, Name, partial, Timestamp, text, Uuid, Whole, withDefaults } from "../schema.ts"

/** `at` is no ISO-8601 instant [G3.3]. */
export class InvalidAt extends failure("InvalidAt", "invalid", "INVALID_AT", "at must be an ISO-8601 instant.") {}

/** What a leaderboard adds up, or compares [G3.2]. */
export const LeaderboardMetric = Schema.Literals(["xp", "streak_length", "custom"])
export type LeaderboardMetric = typeof LeaderboardMetric.Type

/** The windows of a leaderboard, in UTC; `all_time` is one without an end [G3.3]. */
export const LeaderboardPeriod = Schema.Literals(["all_time", "daily", "weekly", "monthly"])
export type LeaderboardPeriod = typeof LeaderboardPeriod.Type

const fields = {
  name: Name,
  metric: LeaderboardMetric,
  period: LeaderboardPeriod,
  /** The last rank. Users beyond it are listed without one. */
  max_entries: Count.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  /** For the metric `custom`, and only there: the event to count, or `event:property` to sum the property [G3.1]. */
  custom_event: Schema.NullOr(text(1, 511)),
}

/** A ranking of users (spec: leaderboard). */
export const Leaderboard = Schema.Struct({
  id: Uuid,
  ...fields,
  is_active: Schema.Boolean,
  /** Whether scores of before are still being read from the log [G3.4]. */
  filling: Schema.Boolean,
  created_at: Timestamp,
}).annotate({ identifier: "Leaderboard" })
export type Leaderboard = typeof Leaderboard.Type

/** A leaderboard as stored. */
export const LeaderboardRow = Schema.Struct({
  ...Leaderboard.fields,
  /** Changes with what is ranked: scores of another version are no longer read. */
  version: Count,
  /** The last user whose scores of before are there while it is filling; null before the first. */
  filled_through: Schema.NullOr(Uuid),
})
export type LeaderboardRow = typeof LeaderboardRow.Type

/** The fields with which a leaderboard is created. */
export const NewLeaderboard = Schema.Struct(
  withDefaults(fields, { period: "all_time", max_entries: 100, custom_event: null }),
).annotate({ identifier: "NewLeaderboard" })
export type NewLeaderboard = typeof NewLeaderboard.Type

/** The fields of a leaderboard that can be changed. Those left out stay. */
export const LeaderboardChanges = Schema.Struct(partial({ ...fields, is_active: Schema.Boolean })).annotate({
  identifier: "LeaderboardChanges",
})
export type LeaderboardChanges = typeof LeaderboardChanges.Type

/** A leaderboard that is shown to users, with the window that was asked for; its bounds are null for all time [G3.5]. */
export const OwnLeaderboard = Schema.Struct({
  ...Leaderboard.fields,
  window_start: Schema.NullOr(Timestamp),
  window_end: Schema.NullOr(Timestamp),
}).annotate({ identifier: "OwnLeaderboard" })
export type OwnLeaderboard = typeof OwnLeaderboard.Type

/** A user's score and rank in one window of a leaderboard. Unique per leaderboard, window and user. */
export const LeaderboardEntry = Schema.Struct({
  leaderboard_id: Uuid,
  app_user_id: Uuid,
  /** The first day of the window in UTC; 0001-01-01 for all time. */
  window_start: Day,
  score: Finite,
  /** Null beyond the leaderboard's `max_entries`, and for a disabled user. */
  rank: Schema.NullOr(Whole),
  /** The latest `occurred_at` of what counts. Of two equal scores the earlier is listed first [G3.2]. */
  reached_at: Timestamp,
}).annotate({ identifier: "LeaderboardEntry" })
export type LeaderboardEntry = typeof LeaderboardEntry.Type

const face = { display_name: Schema.String, avatar_url: Schema.NullOr(Schema.String) }

/** An entry as users see it: with the name of its user (spec: leaderboard, entry). */
export const LeaderboardRank = Schema.Struct({ ...LeaderboardEntry.fields, ...face }).annotate({
  identifier: "LeaderboardRank",
})
export type LeaderboardRank = typeof LeaderboardRank.Type

/** An entry as developers see it (spec: admin plane, leaderboards). */
export const AdminLeaderboardRank = Schema.Struct({
  ...LeaderboardRank.fields,
  app_users: Schema.Struct(face),
}).annotate({ identifier: "AdminLeaderboardRank" })
export type AdminLeaderboardRank = typeof AdminLeaderboardRank.Type

const paged = { total: Count, offset: Count, limit: Count }

/** A page of a leaderboard, and where the caller stands [G3.5]. */
export const LeaderboardPage = Schema.Struct({
  data: Schema.Array(LeaderboardRank),
  ...paged,
  me: Schema.NullOr(Schema.Struct(Struct.pick(LeaderboardEntry.fields, ["rank", "score"]))),
}).annotate({ identifier: "LeaderboardPage" })

/** The answer of a requested rebuild [G3.6]. */
export const RebuildStarted = Schema.Struct({ status: Schema.Literal("rebuilding") }).annotate({
  identifier: "RebuildStarted",
})

/** How many entries a rebuild would change [G3.6]. */
export const RebuildDifferences = Schema.Struct({ differences: Count }).annotate({
  identifier: "RebuildDifferences",
})
