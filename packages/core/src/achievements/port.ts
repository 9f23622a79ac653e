import type { Table } from "../ports/table.ts"
import type { Achievement, UserAchievement } from "./achievement.ts"

/** What a project's database has for achievements. */
export interface AchievementsDb {
  /** Unique: `key`. */
  readonly achievements: Table<Achievement>
  /** Unique: (`app_user_id`, `achievement_id`). Removed with their user or achievement. */
  readonly userAchievements: Table<UserAchievement>
}
