export {
  Achievement,
  AchievementChanges,
  AchievementOfUser,
  AchievementRevocation,
  NewAchievement,
  OwnAchievement,
  Progress,
  type Unlock,
  UserAchievement,
  unlocksNote,
  WouldUnlock,
} from "./achievement.ts"
export { AchievementEvaluationStarted, EvaluateRequest, makeAchievements, maxAchievements } from "./achievements.ts"
export { parseCriteria } from "./criteria.ts"
export { AchievementInactive, AchievementKeyExists, InvalidCriteria } from "./failures.ts"
export type { AchievementsDb, Candidate, UnlockKey, UserAchievements } from "./port.ts"
export { measureProgress } from "./progress.ts"
export { userAchievementsSection } from "./sections.ts"
export { makeUserAchievements } from "./user-achievements.ts"
export { makeAchievementsWork } from "./work.ts"
