import type { Achievement, AchievementRevocation, UserAchievement } from "@hearth/core/achievements"
import { anId, builtAt, type Given } from "../builders.ts"

/** An achievement without criteria. */
export const anAchievement = (given: Given<Achievement> = {}): Achievement => {
  const id = anId()
  return {
    id,
    key: `achievement-${id.slice(-6)}`,
    name: `Achievement ${id.slice(-6)}`,
    description: null,
    icon_url: null,
    xp_reward: 0,
    criteria: {},
    is_hidden: false,
    sort_order: 0,
    is_active: true,
    created_at: new Date(builtAt),
    ...given,
  }
}

/** An achievement that a user has unlocked. */
export const aUserAchievement = (given: Given<UserAchievement, "app_user_id" | "achievement_id">): UserAchievement => ({
  id: anId(),
  unlocked_at: new Date(builtAt),
  ...given,
})

/** That an achievement was taken back from a user. */
export const aRevocation = (
  given: Given<AchievementRevocation, "app_user_id" | "achievement_id">,
): AchievementRevocation => ({
  id: anId(),
  revoked_at: new Date(builtAt),
  ...given,
})
