import { Effect } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import type { Reaction } from "../background/reaction.ts"
import { readAhead } from "../background/read-ahead.ts"
import type { Ports } from "../ports/ports.ts"
import { streakChangesNote } from "../streaks/streak-changes.ts"
import { together } from "../together.ts"
import { xpEntriesNote } from "../xp/entry.ts"
import { addEvents, addXp, findStreakBoards } from "./add-up.ts"
import { readCustomEvent } from "./custom-event.ts"
import type { LeaderboardRow } from "./leaderboard.ts"
import type { ChangedScore, ChangedStreaks, LeaderboardsDb, ScoreAdditions, UserStanding } from "./port.ts"
import { rebuildTopic } from "./rebuild.ts"
import { findWindow } from "./windows.ts"

/** Users whose standings somebody asks for; told before the reactions run. */
export const standingsAskedNote = batchNote<string>("leaderboards.standings-asked")

/** Where these users stand now, in the active leaderboards whose present window the batch has changed for them. */
export const standingsNote = batchNote<UserStanding>("leaderboards.standings")

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

/** What is asked of the changed scores: those of active leaderboards in their present window. */
const findAsked = (
  boards: ReadonlyArray<LeaderboardRow>,
  changed: ReadonlyArray<ChangedScore>,
  asked: ReadonlySet<string>,
  now: Date,
): ReadonlyArray<ChangedScore> => {
  const active = boards.filter(({ is_active }) => is_active)
  const windows = new Map(active.map(({ id, period }) => [id, findWindow(period, now)]))
  const present = changed.filter(
    ({ app_user_id, leaderboard_id, window_start }) =>
      asked.has(app_user_id) && windows.get(leaderboard_id) === window_start,
  )
  return [...new Map(present.map((key) => [`${key.leaderboard_id}/${key.app_user_id}`, key])).values()]
}

/**
 * Adds what events count to leaderboards, also to those that are not active: they are right when they are switched on. XP and
 * streaks come from the reactions before it. A few statements for any number of events, users and leaderboards [G3.2]. The users
 * are locked by the reaction `users.seen`: whoever disables one of them waits, and then takes off what is written here.
 */
export const makeLeaderboardsReaction = ({ clock }: Pick<Ports, "clock">): Reaction<LeaderboardsDb> => ({
  name: "leaderboards",
  rebuild: rebuildTopic,
  readsProperties: true,
  prepare: allBoards.prepare,
  weigh: Effect.fnUntraced(function* (db, events, notes) {
    const boards = yield* allBoards.read(db, events, notes)
    const custom = Map.groupBy(boards, ({ custom_event }) => readCustomEvent(custom_event ?? "")?.event_name ?? null)
    // Those of XP and streaks may get a score by any event.
    const others = custom.get(null)?.length ?? 0
    return ({ event_name }) => others + (custom.get(event_name)?.length ?? 0)
  }),
  react: Effect.fnUntraced(function* (db, events, notes) {
    const boards = yield* allBoards.read(db, events, notes)
    if (boards.length === 0) return []
    const groups = [...addEvents(boards, events), ...addXp(boards, notes.read(xpEntriesNote))]
    const streakBoards = findStreakBoards(boards)
    const streaks = streakBoards.length === 0 ? [] : mergeStreaks(notes.read(streakChangesNote))
    if (streaks.length === 0 && groups.every(({ additions }) => additions.length === 0)) return []
    const hasStreaks = streaks.length > 0
    if (hasStreaks && groups.length > 0) yield* db.leaderboardScores.add(groups)
    const refreshed = hasStreaks ? yield* db.leaderboardScores.refreshStreaks(streakBoards, streaks) : []
    const asked = new Set(notes.read(standingsAskedNote))
    const keys = asked.size === 0 ? [] : findAsked(boards, [...listChanges(groups), ...refreshed], asked, clock.now())
    const [, standings] = yield* together([
      hasStreaks ? Effect.void : db.leaderboardScores.add(groups),
      keys.length === 0 ? Effect.succeed([]) : db.leaderboardScores.standings(keys),
    ])
    notes.add(standingsNote, standings)
    return []
  }),
})
