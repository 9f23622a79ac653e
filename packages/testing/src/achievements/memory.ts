import { Achievement, UserAchievement } from "@hearth/core/achievements"
import { shapeOf } from "../memory/shape.ts"

/** The table of what users can unlock. */
export const achievementShape = shapeOf("achievements", Achievement, { unique: [["key"]] })

/** The table of what users have unlocked. */
export const userAchievementShape = shapeOf("user achievements", UserAchievement, {
  unique: [["app_user_id", "achievement_id"]],
  parents: { app_user_id: "users", achievement_id: "achievements" },
})
