import type { TenantDb } from "@hearth/core"
import { streakEventsSection } from "@hearth/core/streaks"
import { Effect } from "effect"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aStreakDefinition, aStreakPeriod } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const streaks = [aStreakDefinition(), aStreakDefinition()]
  yield* Effect.forEach(streaks, db.streakDefinitions.insert)
  const rows = streaks.flatMap(({ id }, at) =>
    ["0001-01-01", "2026-01-01", "2026-01-02"].map((period_key) =>
      aStreakPeriod({ ...mine, streak_definition_id: id, period_key, kind: at > 0 ? "freeze" : "done" }),
    ),
  )
  yield* db.userStreaks.addPeriods(rows.toReversed())
  return { userId, rows }
})

/** What a project promises about the periods of streaks in the file about a user. */
export const streakEventsSectionContract = sectionContract(streakEventsSection, write)
