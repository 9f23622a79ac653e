import { Effect, Option, Struct } from "effect"
import { describeColumns } from "../columns.ts"
import type { TableSection, ViewSection } from "../exports/section.ts"
import type { UsersDb } from "../users/port.ts"
import type { StreaksDb } from "./port.ts"
import { StreakPeriodRow } from "./streak-rows.ts"
import { rebuildFields, UserStreak } from "./user-streak.ts"
import { readStreaks } from "./views.ts"

/** The streaks of the user, as they are at the time of reading [E2]. */
export const userStreaksSection: ViewSection<StreaksDb & UsersDb> = {
  name: "user_streaks",
  key: ["id"],
  columns: describeColumns({ fields: Struct.omit(UserStreak.fields, rebuildFields) }),
  read: Effect.fnUntraced(function* (db, userId, now) {
    const user = yield* db.users.find({ id: userId })
    const streaks = Option.isNone(user) ? [] : yield* readStreaks(db, user.value, now)
    return streaks.map(({ streak }) => Struct.omit(streak, rebuildFields))
  }),
}

/** The periods of the user's streaks. */
export const streakEventsSection: TableSection = {
  name: "streak_events",
  key: ["streak_definition_id", "period_key"],
  columns: describeColumns({ fields: Struct.omit(StreakPeriodRow.fields, ["count_after", "freezes_after"]) }),
}
