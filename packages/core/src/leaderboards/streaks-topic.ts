import { Effect, Schema } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import { Timestamp, Uuid } from "../schema.ts"
import type { LeaderboardsDb } from "./port.ts"

/** The outbox topic whose handler puts streaks on leaderboards that changed outside of a reaction. */
export const rankStreaksTopic = "leaderboards.streaks"

/** Whose streaks have changed, and from when on. */
export const RankStreaksPayload = Schema.Struct({
  /** Null is everybody. */
  user_ids: Schema.NullOr(Schema.Array(Uuid)),
  /** Null is from the beginning. */
  from: Schema.NullOr(Timestamp),
  /** Of everybody, the last user who is done. */
  after_user_id: Schema.optionalKey(Uuid),
})
export type RankStreaksPayload = typeof RankStreaksPayload.Type

const add = (db: BackgroundDb, userIds: ReadonlyArray<string> | null, from: Date | null) =>
  db.outbox.add(rankStreaksTopic, {
    user_ids: userIds === null ? null : [...new Set(userIds)],
    // Before the year 2 nothing can have occurred.
    from: from === null || from.getUTCFullYear() < 2 ? null : from.toISOString(),
  })

/**
 * Leaves it to the background to put changed streaks on leaderboards, in the transaction that changes them. `userIds` null is
 * everybody, `from` null from the beginning. A change made by a reaction is told by `streakChangesNote` instead.
 */
export const leaveStreaksToRank = (db: BackgroundDb, userIds: ReadonlyArray<string> | null, from: Date | null) =>
  userIds?.length === 0 ? Effect.void : add(db, userIds, from)

/**
 * The same under the project's hold: nothing is left where no leaderboard needs it. Without the hold one could be made, and
 * filled, before the change is committed.
 */
export const leaveStreaksToRankAlone = Effect.fnUntraced(function* (
  db: BackgroundDb & LeaderboardsDb,
  userIds: ReadonlyArray<string>,
  from: Date,
) {
  if (userIds.length === 0) return
  const boards = yield* db.leaderboards.list({ metric: "streak_length" }, [])
  if (boards.length > 0) yield* add(db, userIds, from)
})
