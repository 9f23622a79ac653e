import { Effect, Schema } from "effect"
import type { OutboxHandler } from "../background/work.ts"
import type { UsersDb } from "../users/port.ts"
import type { XpDb } from "../xp/port.ts"
import { addXp, findStreakBoards } from "./add-up.ts"
import type { LeaderboardsDb } from "./port.ts"
import { RankStreaksPayload } from "./streaks-topic.ts"

// So many entries, or users, in one transaction.
const sliceSize = 500

/** Puts entries of XP on leaderboards that no reaction has told of: those of awards by hand, of rewards and of the like [G3.2]. */
export const rankXp: OutboxHandler<LeaderboardsDb & UsersDb & XpDb> = Effect.fnUntraced(function* (db) {
  const { rows } = yield* db.xpEntries.page({ is_ranked: false }, [["id", "asc"]], { limit: sliceSize, offset: 0 })
  if (rows.length === 0) return null
  const users = new Set(yield* db.users.lockMany([...new Set(rows.map(({ app_user_id }) => app_user_id))]))
  const entries = rows.filter(({ app_user_id }) => users.has(app_user_id))
  yield* db.xpEntries.markRanked(entries.map(({ id }) => id))
  const groups = addXp(yield* db.leaderboards.list({}, []), entries)
  if (groups.length > 0) yield* db.leaderboardScores.add(groups)
  return rows.length < sliceSize ? null : {}
})

/** Puts streaks on leaderboards that changed outside of a reaction: by time, by a rebuild, by new rules or by hand [G3.2]. */
export const rankStreaks: OutboxHandler<LeaderboardsDb & UsersDb> = Effect.fnUntraced(function* (db, given) {
  const payload = yield* Effect.orDie(Schema.decodeUnknownEffect(RankStreaksPayload)(given))
  const boards = findStreakBoards(yield* db.leaderboards.list({}, []))
  if (boards.length === 0) return null
  const { user_ids, from, after_user_id = null } = payload
  const users =
    user_ids === null
      ? yield* db.leaderboardScores.lockUsersAfter(after_user_id, sliceSize)
      : yield* db.users.lockMany(user_ids.slice(0, sliceSize))
  yield* db.leaderboardScores.refreshStreaks(
    boards,
    users.map((app_user_id) => ({ app_user_id, from })),
  )
  const last = users.at(-1)
  const rest = user_ids === null ? null : user_ids.slice(sliceSize)
  if (rest === null ? users.length < sliceSize : rest.length === 0) return null
  const left = { user_ids: rest, from: from === null ? null : from.toISOString() }
  return rest === null && last !== undefined ? { ...left, after_user_id: last } : left
})
