import { Effect, Option, Schema } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { OutboxHandler } from "../background/work.ts"
import { Uuid } from "../schema.ts"
import { boardKey } from "./add-up.ts"
import type { LeaderboardRow } from "./leaderboard.ts"
import type { LeaderboardsDb } from "./port.ts"

/** The outbox topic of filling and rebuilding. An empty payload is all leaderboards. */
export const rebuildTopic = "leaderboards.rebuild"

/** The leaderboard whose scores are made again, and the last user whose scores are. */
const RebuildPayload = Schema.Struct({
  leaderboard_id: Uuid,
  version: Schema.Int,
  after_user_id: Schema.NullOr(Uuid),
  /** All users are done: what is left are scores of earlier versions. */
  is_done: Schema.optionalKey(Schema.Boolean),
})
type RebuildPayload = typeof RebuildPayload.Type

// So many users in one transaction: their scores are a few statements, but other reactions wait for it.
const sliceSize = 500
// Scores that nobody reads any more, removed in one transaction.
const staleSize = 5_000

/** Has a leaderboard's scores made again from the log, from the first user on, in place of a rebuild that waits. */
export const leaveToRebuild = (db: BackgroundDb, { id, version }: Pick<LeaderboardRow, "id" | "version">) => {
  const payload: RebuildPayload = { leaderboard_id: id, version, after_user_id: null }
  return db.outbox.replace(rebuildTopic, payload, ["leaderboard_id"])
}

const rebuildSlice = Effect.fnUntraced(function* (
  db: LeaderboardsDb,
  board: LeaderboardRow,
  payload: RebuildPayload,
): Effect.fn.Return<RebuildPayload> {
  const users = yield* db.leaderboardScores.lockUsersAfter(payload.after_user_id, sliceSize)
  if (users.length > 0) yield* db.leaderboardScores.rebuild(board, users)
  const after_user_id = users.at(-1) ?? payload.after_user_id
  const is_done = users.length < sliceSize
  if (board.filling) {
    const changes = is_done ? { filling: false, filled_through: null } : { filled_through: after_user_id }
    yield* Effect.orDie(db.leaderboards.update(board.id, changes))
  }
  return { ...payload, after_user_id, is_done }
})

/**
 * Makes the scores of a leaderboard again, one slice of users per call [G3.4]. It runs under the hold, so what reactions add
 * meanwhile comes before a slice or after it, never at the same time.
 */
export const rebuildBoards: OutboxHandler<BackgroundDb & LeaderboardsDb> = Effect.fnUntraced(function* (db, given) {
  if (!("leaderboard_id" in given)) {
    yield* Effect.forEach(yield* db.leaderboards.list({}, []), (board) => leaveToRebuild(db, board), { discard: true })
    return null
  }
  const payload = yield* Effect.orDie(Schema.decodeUnknownEffect(RebuildPayload)(given))
  const board = Option.getOrNull(yield* db.leaderboards.find({ id: payload.leaderboard_id }))
  if (board === null || board.version !== payload.version) return null
  if (payload.is_done !== true) return yield* rebuildSlice(db, board, payload)
  return (yield* db.leaderboardScores.removeStale(boardKey(board), staleSize)) ? payload : null
})
