import type { StreakKey } from "@hearth/core/streaks"

/** The name of a streak. */
export const formatStreak = (key: StreakKey) => `${key.app_user_id}/${key.streak_definition_id}`.toLowerCase()
