import { Effect } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import type { Reaction } from "../background/reaction.ts"
import { readAhead } from "../background/read-ahead.ts"
import { streakChangesNote } from "../streaks/streak-changes.ts"
import type { UsersDb } from "../users/port.ts"
import { lockedUsersNote } from "../users/users-seen.ts"
import { xpEntriesNote } from "../xp/entry.ts"
import { addEvents, addXp, findStreakBoards } from "./add-up.ts"
import type { LeaderboardRow } from "./leaderboard.ts"
import type { ChangedScore, ChangedStreaks, LeaderboardsDb, ScoreAdditions } from "./port.ts"
import { rebuildTopic } from "./rebuild.ts"

/** The scores that the events of a batch have changed, also of boards that are not active [G9.1]. */
export const scoresNote = batchNote<ChangedScore>("leaderboards.scores")

/** The leaderboards by which a batch is counted, all of them. Told together with the scores. */
export const boardsNote = batchNote<LeaderboardRow>("leaderboards.boards")

const allBoards = readAhead("leaderboards.all", (db: LeaderboardsDb) => db.leaderboards.list({}, []))

const listChanges = (groups: ReadonlyArray<ScoreAdditions>): ReadonlyArray<ChangedScore> =>
  groups.flatMap(({ boards, additions }) =>
    boards.flatMap(({ leaderboard_id }) =>
      additions.map(({ app_user_id, window_start }) => ({ leaderboard_id, app_user_id, window_start })),
    ),
  )

const mergeStreaks = (changes: ReadonlyArray<{ readonly app_user_id: string; readonly from: Date }>) => {
  const merged = new Map<string, Date>()
  for (const { app_user_id, from } of changes) {
    const known = merged.get(app_user_id)
    if (known === undefined || from < known) merged.set(app_user_id, from)
  }
  return [...merged].map(([app_user_id, from]): ChangedStreaks => ({ app_user_id, from }))
}

/**
 * Adds what events count to leaderboards, also to those that are not active: they are right when they are switched on. XP and
 * streaks come from the reactions before it. A few statements for any number of events, users and leaderboards [G3.2].
 */
export const leaderboardsReaction: Reaction<LeaderboardsDb & UsersDb> = {
  name: "leaderboards",
  rebuild: rebuildTopic,
  readsProperties: true,
  prepare: allBoards.prepare,
  react: Effect.fnUntraced(function* (db, events, notes) {
    const boards = yield* allBoards.read(db, events, notes)
    if (boards.length === 0) return []
    const groups = [...addEvents(boards, events), ...addXp(boards, notes.read(xpEntriesNote))]
    const streakBoards = findStreakBoards(boards)
    const streaks = streakBoards.length === 0 ? [] : mergeStreaks(notes.read(streakChangesNote))
    const users = [...groups.flatMap(({ additions }) => additions), ...streaks].map(({ app_user_id }) => app_user_id)
    if (users.length === 0) return []
    // Whoever disables one of them waits, and then takes off what is written here.
    const locked = new Set(notes.read(lockedUsersNote))
    const others = [...new Set(users)].filter((id) => !locked.has(id))
    if (others.length > 0) yield* db.users.lockMany(others)
    if (groups.length > 0) yield* db.leaderboardScores.add(groups)
    const refreshed = streaks.length === 0 ? [] : yield* db.leaderboardScores.refreshStreaks(streakBoards, streaks)
    notes.add(boardsNote, boards)
    notes.add(scoresNote, [...listChanges(groups), ...refreshed])
    return []
  }),
}
