import type { TenantDb } from "@hearth/core"
import { userAchievementsSection } from "@hearth/core/achievements"
import { Effect } from "effect"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anAchievement, aUserAchievement } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const achievements = [anAchievement(), anAchievement()]
  yield* Effect.forEach(achievements, db.achievements.insert)
  const rows = achievements.map(({ id }) => aUserAchievement({ ...mine, achievement_id: id }))
  yield* Effect.forEach(rows, db.userAchievements.insert)
  return { userId, rows }
})

/** What a project promises about the achievements in the file about a user. */
export const userAchievementsSectionContract = sectionContract(userAchievementsSection, write)
