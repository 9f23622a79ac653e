import type { Achievement, Leaderboard, LeaderboardEntry, PushToken, UserAchievement } from "@hearth/core"
import { anId, builtAt, type Given } from "./builders.ts"

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

/** A leaderboard of experience points of all time. */
export const aLeaderboard = (given: Given<Leaderboard> = {}): Leaderboard => {
  const id = anId()
  return {
    id,
    name: `Leaderboard ${id.slice(-6)}`,
    metric: "xp",
    period: "all_time",
    max_entries: 100,
    custom_event: null,
    is_active: true,
    created_at: new Date(builtAt),
    ...given,
  }
}

/** A user's first place on a leaderboard of all time. */
export const aLeaderboardEntry = (
  given: Given<LeaderboardEntry, "leaderboard_id" | "app_user_id">,
): LeaderboardEntry => ({
  id: anId(),
  window_start: "0001-01-01",
  score: 0,
  rank: 1,
  reached_at: new Date(builtAt),
  ...given,
})

/** An iPhone of a user. */
export const aPushToken = (given: Given<PushToken, "app_user_id">): PushToken => {
  const id = anId()
  return {
    id,
    platform: "ios",
    provider: "push_a",
    token: `token-${id}`,
    is_active: true,
    created_at: new Date(builtAt),
    ...given,
  }
}
