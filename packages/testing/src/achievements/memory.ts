import type { Achievement, UserAchievement } from "@hearth/core"
import { shapeOf } from "../memory/shape.ts"

/** The table of what users can unlock. */
export const achievementShape = shapeOf<Achievement>(
  "achievements",
  {
    id: "uuid",
    key: "text",
    name: "text",
    description: "text?",
    icon_url: "text?",
    xp_reward: "count",
    criteria: "json",
    is_hidden: "boolean",
    sort_order: "whole",
    is_active: "boolean",
    created_at: "instant",
  },
  { unique: [["key"]] },
)

/** The table of what users have unlocked. */
export const userAchievementShape = shapeOf<UserAchievement>(
  "user achievements",
  { id: "uuid", app_user_id: "uuid", achievement_id: "uuid", unlocked_at: "instant" },
  { unique: [["app_user_id", "achievement_id"]], parents: { app_user_id: "users", achievement_id: "achievements" } },
)
