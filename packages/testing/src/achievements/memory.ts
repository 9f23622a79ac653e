import { Achievement, UserAchievement } from "@hearth/core/achievements"
import { describeTable } from "../memory/shape.ts"

/** The table of what users can unlock. */
export const achievementShape = describeTable("achievements", Achievement, { unique: [["key"]] })

/** The table of what users have unlocked. */
export const userAchievementShape = describeTable("user achievements", UserAchievement, {
  unique: [["app_user_id", "achievement_id"]],
  parents: { app_user_id: "users", achievement_id: "achievements" },
})
