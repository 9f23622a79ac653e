export { Achievement, UserAchievement } from "./achievement.ts"
export type { AchievementsDb } from "./port.ts"
