import {
  StreakDefinition,
  type StreakDefinitions,
  type StreakKey,
  UserStreak,
  type UserStreaks,
} from "@hearth/core/streaks"
import { keepIds } from "../memory/columns.ts"
import type { Statements } from "../memory/database.ts"
import { insertRow, lockRows, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"
import { formatStreak } from "./format-streak.ts"
import { memoryStreakPeriods } from "./memory-periods.ts"

/** The table of streak definitions. */
export const streakDefinitionShape = describeTable("streak definitions", StreakDefinition, {
  checks: [({ freezes_per_n_events }) => freezes_per_n_events === null || freezes_per_n_events > 0],
})

/** The table of the streaks of users. */
export const userStreakShape = describeTable("user streaks", UserStreak, {
  unique: [["app_user_id", "streak_definition_id"]],
  parents: { app_user_id: "users", streak_definition_id: "streak definitions" },
})

const byKey = (streaks: ReadonlyArray<UserStreak>) =>
  sorted(userStreakShape, streaks, [
    ["app_user_id", "asc"],
    ["streak_definition_id", "asc"],
  ])

const lockMany = (statements: Statements) => (keys: ReadonlyArray<StreakKey>) =>
  statements.query((draft) => {
    const wanted = new Set(keys.map(formatStreak))
    const rows = [...rowsOf(draft, userStreakShape).values()].filter((row) => wanted.has(formatStreak(row)))
    return lockRows(draft, userStreakShape, byKey(rows))
  })

const save = (statements: Statements) => (streaks: ReadonlyArray<UserStreak>) =>
  statements.change((draft) => {
    if (new Set(streaks.map((streak) => streak.id)).size < streaks.length) throw new Error("A streak is saved twice.")
    for (const streak of byKey(streaks)) {
      const present = rowsOf(draft, userStreakShape).get(streak.id)
      if (present === undefined) insertRow(draft, userStreakShape, streak)
      else replaceRow(draft, userStreakShape, present, streak)
    }
  })

/** The definitions of streaks. */
export const memoryStreakDefinitions = (statements: Statements): StreakDefinitions => ({
  ...memoryTable(statements, streakDefinitionShape),
  lockMany: (ids) =>
    statements.query((draft) => {
      const rows = [...new Set(ids)].flatMap((id) => select(draft, streakDefinitionShape, { id }))
      return lockRows(draft, streakDefinitionShape, sorted(streakDefinitionShape, rows, []), "key share")
    }),
})

/** The streaks of users. Locks of several are taken in the order of their keys. */
export const memoryUserStreaks = (statements: Statements): UserStreaks => ({
  ...memoryTable(statements, userStreakShape),
  ...memoryStreakPeriods(statements),
  ofUsers: (userIds) =>
    statements.query((draft) => {
      const wanted = new Set(keepIds(userIds))
      return [...rowsOf(draft, userStreakShape).values()].filter((streak) => wanted.has(streak.app_user_id))
    }),
  lockMany: lockMany(statements),
  save: save(statements),
  expired: (now, limit) =>
    statements.query((draft) => {
      const expired = [...rowsOf(draft, userStreakShape).values()].filter(
        ({ expires_at }) => expires_at !== null && expires_at <= now,
      )
      return sorted(userStreakShape, expired, [["expires_at", "asc"]]).slice(0, limit)
    }),
  nextExpiry: () =>
    statements.query((draft) => {
      const [next] = sorted(userStreakShape, [...rowsOf(draft, userStreakShape).values()], [["expires_at", "asc"]])
      return next?.expires_at ?? null
    }),
  awaitingRebuild: (definitionId, rules, afterUserId, limit) =>
    statements.query((draft) => {
      const rows = select(draft, userStreakShape, { streak_definition_id: definitionId })
      return sorted(userStreakShape, rows, [["app_user_id", "asc"]])
        .filter((row) => afterUserId === null || row.app_user_id > afterUserId)
        .filter((row) => row.rebuild_from !== null || (rules !== null && row.rules !== rules))
        .slice(0, limit)
        .map(({ app_user_id, streak_definition_id }) => ({ app_user_id, streak_definition_id }))
    }),
})
