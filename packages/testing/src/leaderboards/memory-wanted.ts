import {
  addUp,
  allTime,
  type Counted,
  findWindow,
  type LeaderboardPeriod,
  type LeaderboardRow,
  readCounted,
  readCustomEvent,
  readXp,
  type ScoreAddition,
} from "@hearth/core/leaderboards"
import type { StreakPeriodRow } from "@hearth/core/streaks"
import { deadLetterShape } from "../background/memory-dead-letters.ts"
import { eventsTopic, outboxShape } from "../background/memory-outbox-rows.ts"
import { eventShape } from "../events/memory.ts"
import type { Draft } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import { userStreakShape } from "../streaks/memory.ts"
import { streakPeriodShape } from "../streaks/memory-periods.ts"
import { xpEntryShape } from "../xp/memory.ts"

/** The scores of a user, or of everybody. */
type OfUsers = (userId: string) => boolean

/** The later of two instants. */
export const latest = (a: Date, b: Date) => (a > b ? a : b)

/** The greatest of several counts in each window, and when it was last brought about. */
const greatest = (given: ReadonlyArray<ScoreAddition>): ReadonlyArray<ScoreAddition> => {
  const best = new Map<string, ScoreAddition>()
  for (const each of given) {
    const name = `${each.app_user_id}/${each.window_start}`
    const known = best.get(name)
    if (known === undefined || each.units > known.units) best.set(name, each)
    else if (each.units === known.units)
      best.set(name, { ...known, reached_at: latest(known.reached_at, each.reached_at) })
  }
  return [...best.values()]
}

const toUnits = (count: number) => BigInt(count) * 10_000n

/** What boards of streaks with these windows have to show. */
export const streakScores = (
  draft: Draft,
  period: LeaderboardPeriod,
  ofUsers: OfUsers,
): ReadonlyArray<ScoreAddition> => {
  const done = [...rowsOf(draft, streakPeriodShape).values()].filter(
    ({ app_user_id, kind }) => kind === "done" && ofUsers(app_user_id),
  )
  const score = (
    count: number | null,
    window_start: string,
    row: StreakPeriodRow | { app_user_id: string },
    at: Date,
  ) =>
    count === null || count === 0
      ? []
      : [{ app_user_id: row.app_user_id, window_start, units: toUnits(count), reached_at: at }]
  if (period !== "all_time")
    return greatest(
      done.flatMap((row) => score(row.count_after, findWindow(period, row.occurred_at), row, row.occurred_at)),
    )
  return greatest(
    [...rowsOf(draft, userStreakShape).values()]
      .filter(({ app_user_id }) => ofUsers(app_user_id))
      .flatMap((streak) => {
        const last = done.find(
          (row) =>
            row.app_user_id === streak.app_user_id &&
            row.streak_definition_id === streak.streak_definition_id &&
            row.period_key === streak.last_period,
        )
        return score(streak.current_count, allTime, streak, last?.occurred_at ?? new Date(0))
      }),
  )
}

const handledEvents = (draft: Draft, ofUsers: OfUsers) => {
  const waiting = new Set([
    ...[...rowsOf(draft, outboxShape).values()].flatMap(({ topic, event_ids }) =>
      topic === eventsTopic ? event_ids : [],
    ),
    ...[...rowsOf(draft, deadLetterShape).values()].map(({ event_id }) => event_id),
  ])
  return [...rowsOf(draft, eventShape).values()].filter(
    ({ id, app_user_id }) => ofUsers(app_user_id) && !waiting.has(id),
  )
}

/** The scores that a leaderboard has to have. */
export const wantedScores = (draft: Draft, board: LeaderboardRow, ofUsers: OfUsers): ReadonlyArray<ScoreAddition> => {
  const { metric, period, custom_event } = board
  if (metric === "streak_length") return streakScores(draft, period, ofUsers)
  const rule = readCustomEvent(custom_event ?? "")
  const ranked = [...rowsOf(draft, xpEntryShape).values()].filter(
    ({ app_user_id, is_ranked }) => is_ranked && ofUsers(app_user_id),
  )
  const counted: ReadonlyArray<Counted> =
    metric === "xp" ? readXp(ranked) : rule === null ? [] : readCounted(rule, handledEvents(draft, ofUsers))
  return addUp(period, counted)
}
