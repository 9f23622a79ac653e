export { Achievement, UserAchievement } from "./achievement.ts"
export type { AchievementsDb } from "./port.ts"
export { userAchievementsSection } from "./sections.ts"
