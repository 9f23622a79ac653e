export { Achievement, UserAchievement } from "./achievement.ts"
