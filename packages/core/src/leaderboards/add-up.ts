import type { EngagementEvent } from "../events/event.ts"
import { readSummand } from "../events/summand.ts"
import { type CustomEvent, readCustomEvent } from "./custom-event.ts"
import type { LeaderboardPeriod, LeaderboardRow } from "./leaderboard.ts"
import type { BoardKey, ScoreAddition, ScoreAdditions, StreakBoards } from "./port.ts"
import { findWindow } from "./windows.ts"

/** Something that counts for a score: one event, or one entry of XP. */
export interface Counted {
  readonly app_user_id: string
  readonly occurred_at: Date
  /** In ten-thousandths. */
  readonly units: bigint
}

const unitsOfOne = 10_000

const readUnits = (event: EngagementEvent, property: string | null): bigint | null => {
  if (property === null) return BigInt(unitsOfOne)
  const value = Object.hasOwn(event.properties, property) ? readSummand(event.properties[property]) : null
  // At most 9 × 10^15 with whole ten-thousandths: the nearest integer is the exact one.
  return value === null ? null : BigInt(Math.round(value * unitsOfOne))
}

/** What events count for a leaderboard of a custom event. A value that is no number counts as nothing [G3.2]. */
export const readCounted = (
  { event_name, property }: CustomEvent,
  events: ReadonlyArray<EngagementEvent>,
): ReadonlyArray<Counted> =>
  events.flatMap((event) => {
    const units = event.event_name === event_name ? readUnits(event, property) : null
    return units === null ? [] : [{ app_user_id: event.app_user_id, occurred_at: event.occurred_at, units }]
  })

/** What entries of the ledger of XP count. */
export const readXp = (
  entries: ReadonlyArray<{ readonly app_user_id: string; readonly occurred_at: Date; readonly amount: number }>,
): ReadonlyArray<Counted> =>
  entries.map(({ app_user_id, occurred_at, amount }) => ({
    ...{ app_user_id, occurred_at },
    units: BigInt(amount) * BigInt(unitsOfOne),
  }))

/** The sums by user and window. */
export const addUp = (period: LeaderboardPeriod, counted: ReadonlyArray<Counted>): ReadonlyArray<ScoreAddition> => {
  const sums = new Map<string, ScoreAddition>()
  for (const { app_user_id, occurred_at, units } of counted) {
    const window_start = findWindow(period, occurred_at)
    const name = `${app_user_id}/${window_start}`
    const sum = sums.get(name) ?? { app_user_id, window_start, units: 0n, reached_at: occurred_at }
    const reached_at = sum.reached_at > occurred_at ? sum.reached_at : occurred_at
    sums.set(name, { ...sum, units: sum.units + units, reached_at })
  }
  return [...sums.values()]
}

/** The scores that are read of a leaderboard. */
export const boardKey = ({ id, version }: Pick<LeaderboardRow, "id" | "version">): BoardKey => ({
  leaderboard_id: id,
  version,
})

const groupByPeriod = (boards: ReadonlyArray<LeaderboardRow>) => [...Map.groupBy(boards, ({ period }) => period)]

const addToBoards = (
  boards: ReadonlyArray<LeaderboardRow>,
  counted: ReadonlyArray<Counted>,
): ReadonlyArray<ScoreAdditions> =>
  counted.length === 0
    ? []
    : groupByPeriod(boards).map(([period, same]) => ({
        boards: same.map(boardKey),
        additions: addUp(period, counted),
      }))

/** What entries of XP add to the leaderboards of XP among these. */
export const addXp = (
  boards: ReadonlyArray<LeaderboardRow>,
  entries: Parameters<typeof readXp>[0],
): ReadonlyArray<ScoreAdditions> =>
  addToBoards(
    boards.filter(({ metric }) => metric === "xp"),
    readXp(entries),
  )

/** What events add to the leaderboards of custom events among these. */
export const addEvents = (
  boards: ReadonlyArray<LeaderboardRow>,
  events: ReadonlyArray<EngagementEvent>,
): ReadonlyArray<ScoreAdditions> => {
  const custom = boards.filter(({ metric }) => metric === "custom")
  return [...Map.groupBy(custom, ({ custom_event }) => custom_event ?? "")].flatMap(([text, same]) => {
    const rule = readCustomEvent(text)
    return rule === null ? [] : addToBoards(same, readCounted(rule, events))
  })
}

/** The leaderboards of streaks among these, by their windows. */
export const findStreakBoards = (boards: ReadonlyArray<LeaderboardRow>): ReadonlyArray<StreakBoards> =>
  groupByPeriod(boards.filter(({ metric }) => metric === "streak_length")).map(([period, same]) => ({
    period,
    boards: same.map(boardKey),
  }))
