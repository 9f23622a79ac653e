import { Text } from "@hearth/core"
import {
  type AfterPeriod,
  type FromInstant,
  type LastDonePeriod,
  StreakGrantRow,
  type StreakKey,
  StreakPeriodRow,
  type StreakPeriods,
  type UserStreaks,
} from "@hearth/core/streaks"
import { Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { select, sorted } from "../memory/table.ts"
import { formatStreak } from "./format-streak.ts"
import { findEvent } from "./memory-qualifying-events.ts"

/** The id is made of the other three columns of the key. */
const StoredPeriod = Schema.Struct({ id: Text, ...StreakPeriodRow.fields })
type StoredPeriod = typeof StoredPeriod.Type

const parents = { app_user_id: "users", streak_definition_id: "streak definitions" } as const

/** The table of periods. */
export const streakPeriodShape = describeTable("streak periods", StoredPeriod, { parents })

/** The table of granted freezes. */
export const streakGrantShape = describeTable("streak grants", StreakGrantRow, { parents })

const among = (keys: ReadonlyArray<StreakKey>) => {
  const streaks = new Set(keys.map(formatStreak))
  return (row: StreakKey) => streaks.has(formatStreak(row))
}
const plain = ({ id: _, ...period }: StoredPeriod): StreakPeriodRow => period

const periodsOf = (draft: Draft) => [...rowsOf(draft, streakPeriodShape).values()]
const byPeriod = (periods: ReadonlyArray<StoredPeriod>, direction: "asc" | "desc") =>
  sorted(streakPeriodShape, periods, [["period_key", direction]])

const add = (draft: Draft, periods: ReadonlyArray<StreakPeriodRow>) => {
  for (const given of periods) {
    const period = keepRow(streakPeriodShape, { ...given, id: `${formatStreak(given)}/${given.period_key}` })
    const present = rowsOf(draft, streakPeriodShape).get(period.id)
    if (present === undefined) insertRow(draft, streakPeriodShape, period)
    else if (present.kind === "freeze" && period.kind === "done") replaceRow(draft, streakPeriodShape, present, period)
  }
}

/** The key of each streak with what is given for it. */
const keyed = <Given extends StreakKey>(keys: ReadonlyArray<Given>) =>
  new Map(keys.map((key) => [formatStreak(key), key]))

const replace = (draft: Draft, keys: ReadonlyArray<AfterPeriod>, periods: ReadonlyArray<StreakPeriodRow>) => {
  const ranges = keyed(keys)
  const freezes = new Map<string, StreakPeriodRow>()
  for (const period of periodsOf(draft)) {
    const range = ranges.get(formatStreak(period))
    if (range === undefined || (range.after !== null && period.period_key <= range.after)) continue
    removeRow(draft, streakPeriodShape, period)
    if (period.kind === "freeze") freezes.set(period.id, plain(period))
  }
  const kept = periods.map((given) =>
    given.kind === "freeze" ? (freezes.get(`${formatStreak(given)}/${given.period_key}`) ?? given) : given,
  )
  add(draft, kept)
}

const lastDoneBefore = (draft: Draft, keys: ReadonlyArray<FromInstant>) => {
  const newest = byPeriod(periodsOf(draft), "desc").filter(({ kind }) => kind === "done")
  return [...keyed(keys)].flatMap(([streak, { from }]): ReadonlyArray<LastDonePeriod> => {
    const found = newest.find((period) => formatStreak(period) === streak && period.occurred_at < from)
    if (found === undefined) return []
    const event = findEvent(draft, found)
    return [{ ...plain(found), zone: event === undefined ? null : (event.zone ?? "UTC") }]
  })
}

const uncounted = (draft: Draft, keys: ReadonlyArray<AfterPeriod>) => {
  const ranges = keyed(keys)
  return periodsOf(draft).filter((period) => {
    const range = ranges.get(formatStreak(period))
    const isAfter = range !== undefined && (range.after === null || period.period_key > range.after)
    return isAfter && period.kind === "done" && period.count_after === null
  })
}

/** The part of `UserStreaks` that is about periods and grants. */
export const memoryStreakPeriods = (
  statements: Statements,
): StreakPeriods & Pick<UserStreaks, "addGrant" | "grants"> => ({
  addPeriods: (periods) => statements.change((draft) => add(draft, periods)),
  replacePeriods: (keys, periods) => statements.change((draft) => replace(draft, keys, periods)),
  lastDoneBefore: (keys) => statements.query((draft) => lastDoneBefore(draft, keys)),
  uncountedPeriods: (keys) => statements.query((draft) => uncounted(draft, keys).map(plain)),
  periodsFrom: (key, period) =>
    statements.query((draft) => {
      const theirs = byPeriod(periodsOf(draft).filter(among([key])), "asc").map(plain)
      const base = theirs.findLast(({ kind, period_key }) => kind === "done" && period_key < period)
      return theirs.filter(({ period_key }) => period_key >= (base?.period_key ?? period))
    }),
  recentPeriods: (userId, limit) =>
    statements.query((draft) => {
      const newest = byPeriod(select(draft, streakPeriodShape, { app_user_id: userId }), "desc")
      const last = [...Map.groupBy(newest, formatStreak).values()].flatMap((periods) => periods.slice(0, limit))
      const order = [
        ["period_key", "desc"],
        ["streak_definition_id", "asc"],
      ] as const
      return sorted(streakPeriodShape, last, order).map(plain)
    }),
  addGrant: (grant) =>
    statements.change((draft) => {
      insertRow(draft, streakGrantShape, grant)
    }),
  grants: (keys) =>
    statements.query((draft) => {
      const theirs = [...rowsOf(draft, streakGrantShape).values()].filter(among(keys))
      return sorted(streakGrantShape, theirs, [
        ["app_user_id", "asc"],
        ["streak_definition_id", "asc"],
        ["from_period", "asc"],
        ["granted_at", "asc"],
      ])
    }),
})
