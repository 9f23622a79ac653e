import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { UserAchievement } from "./achievement.ts"

/** The achievements that the user has unlocked. */
export const userAchievementsSection: TableSection = {
  name: "user_achievements",
  key: ["id"],
  columns: describeColumns(UserAchievement),
}
