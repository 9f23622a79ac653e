import { periodIndex, periodKey, Text } from "@hearth/core"
import { StreakGrantRow, type StreakKey, StreakPeriodRow, type UserStreaks } from "@hearth/core/streaks"
import { Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { select, sorted } from "../memory/table.ts"

/** The id is made of the other three columns of the key. */
const StoredPeriod = Schema.Struct({ id: Text, ...StreakPeriodRow.fields })
type StoredPeriod = typeof StoredPeriod.Type

const parents = { app_user_id: "users", streak_definition_id: "streak definitions" } as const

/** The table of periods. */
export const streakPeriodShape = describeTable("streak periods", StoredPeriod, { parents })

/** The table of granted freezes. */
export const streakGrantShape = describeTable("streak grants", StreakGrantRow, { parents })

const streakOf = (key: StreakKey) => `${key.app_user_id}/${key.streak_definition_id}`.toLowerCase()
const among = (keys: ReadonlyArray<StreakKey>) => {
  const streaks = new Set(keys.map(streakOf))
  return (row: StreakKey) => streaks.has(streakOf(row))
}
const plain = ({ id: _, ...period }: StoredPeriod): StreakPeriodRow => period

const periodsOf = (draft: Draft) => [...rowsOf(draft, streakPeriodShape).values()]
const byPeriod = (periods: ReadonlyArray<StoredPeriod>, direction: "asc" | "desc") =>
  sorted(streakPeriodShape, periods, [["period_key", direction]])

const add = (draft: Draft, periods: ReadonlyArray<StreakPeriodRow>) => {
  for (const given of periods) {
    const period = keepRow(streakPeriodShape, { ...given, id: `${streakOf(given)}/${given.period_key}` })
    const present = rowsOf(draft, streakPeriodShape).get(period.id)
    if (present === undefined) insertRow(draft, streakPeriodShape, period)
    else if (present.kind === "freeze" && period.kind === "done") replaceRow(draft, streakPeriodShape, present, period)
  }
}

const weeksFromDays = (draft: Draft, streak_definition_id: string) => {
  const days = select(draft, streakPeriodShape, { streak_definition_id })
  for (const day of days) removeRow(draft, streakPeriodShape, day)
  const earliest = sorted(streakPeriodShape, days, [["occurred_at", "asc"]])
  add(
    draft,
    earliest.map((day) => ({ ...plain(day), period_key: periodKey("weekly", periodIndex("weekly", day.period_key)) })),
  )
}

/** The part of `UserStreaks` that is about periods and grants. */
export const memoryStreakPeriods = (
  statements: Statements,
): Pick<
  UserStreaks,
  "addPeriods" | "replaceFreezes" | "donePeriods" | "recentPeriods" | "weeksFromDays" | "addGrant" | "grants"
> => ({
  addPeriods: (periods) => statements.change((draft) => add(draft, periods)),
  replaceFreezes: (keys, freezes) =>
    statements.change((draft) => {
      const isTheirs = among(keys)
      for (const period of periodsOf(draft)) {
        if (period.kind === "freeze" && isTheirs(period)) removeRow(draft, streakPeriodShape, period)
      }
      add(draft, freezes)
    }),
  donePeriods: (keys) =>
    statements.query((draft) => {
      const isTheirs = among(keys)
      const done = periodsOf(draft).filter((period) => period.kind === "done" && isTheirs(period))
      return byPeriod(done, "asc").map(plain)
    }),
  recentPeriods: (userId, limit) =>
    statements.query((draft) => {
      const newest = byPeriod(select(draft, streakPeriodShape, { app_user_id: userId }), "desc")
      return [...Map.groupBy(newest, streakOf).values()].flatMap((periods) => periods.slice(0, limit)).map(plain)
    }),
  weeksFromDays: (definitionId) => statements.change((draft) => weeksFromDays(draft, definitionId)),
  addGrant: (grant) =>
    statements.change((draft) => {
      insertRow(draft, streakGrantShape, grant)
    }),
  grants: (keys) =>
    statements.query((draft) => {
      const theirs = [...rowsOf(draft, streakGrantShape).values()].filter(among(keys))
      return sorted(streakGrantShape, theirs, [])
    }),
})
