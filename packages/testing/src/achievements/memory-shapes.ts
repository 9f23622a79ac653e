import { Achievement, AchievementRevocation, UserAchievement } from "@hearth/core/achievements"
import { describeTable } from "../memory/shape.ts"

const ofBoth = { app_user_id: "users", achievement_id: "achievements" } as const

/** The table of what users can unlock. */
export const achievementShape = describeTable("achievements", Achievement, { unique: [["key"]] })

/** The table of what users have unlocked. */
export const userAchievementShape = describeTable("user achievements", UserAchievement, {
  unique: [["app_user_id", "achievement_id"]],
  parents: ofBoth,
})

/** The table of what was taken back from users. */
export const revocationShape = describeTable("achievement revocations", AchievementRevocation, {
  unique: [["app_user_id", "achievement_id"]],
  parents: ofBoth,
})
