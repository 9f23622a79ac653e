import { Schema } from "effect"
import { Count, Day, Finite, Name, Timestamp, text, Uuid, Whole } from "../schema.ts"

/** A ranking of users (spec: leaderboard). */
export const Leaderboard = Schema.Struct({
  id: Uuid,
  name: Name,
  metric: Schema.Literals(["xp", "streak_length", "custom"]),
  period: Schema.Literals(["all_time", "daily", "weekly", "monthly"]),
  /** The last rank. Users beyond it have none. */
  max_entries: Count.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  /** For the metric `custom`: the event to count, or `event:property` to sum the values of the property [E4]. */
  custom_event: Schema.NullOr(text(1, 511)),
  is_active: Schema.Boolean,
  created_at: Timestamp,
}).annotate({ identifier: "Leaderboard" })
export type Leaderboard = typeof Leaderboard.Type

/** A user's score and rank in one window of a leaderboard. Unique per leaderboard, window and user. */
export const LeaderboardEntry = Schema.Struct({
  id: Uuid,
  leaderboard_id: Uuid,
  app_user_id: Uuid,
  /** The first day of the window in UTC; 0001-01-01 for all time. */
  window_start: Day,
  score: Finite,
  /** Null beyond the leaderboard's `max_entries`. */
  rank: Schema.NullOr(Whole),
  /** When the user reached this score. Of two equal scores the earlier ranks first [E4]. */
  reached_at: Timestamp,
}).annotate({ identifier: "LeaderboardEntry" })
export type LeaderboardEntry = typeof LeaderboardEntry.Type
