import { Achievement, UserAchievement } from "./achievement.ts"
import { EngagementEvent, OutboxEntry } from "./event.ts"
import { Leaderboard, LeaderboardEntry } from "./leaderboard.ts"
import { PushToken } from "./push-token.ts"
import { Segment, SegmentMembership } from "./segment.ts"
import { AccountLink, MagicLink } from "./sign-in.ts"
import { StreakDefinition, StreakGrant, StreakPeriod, UserStreak } from "./streak.ts"
import { Entitlement, RefreshToken, SessionFamily, User } from "./user.ts"

/** The tables of a project's own database. */
export const tenantEntities = {
  User,
  SessionFamily,
  RefreshToken,
  AccountLink,
  MagicLink,
  Entitlement,
  Segment,
  SegmentMembership,
  EngagementEvent,
  OutboxEntry,
  StreakDefinition,
  UserStreak,
  StreakPeriod,
  StreakGrant,
  Achievement,
  UserAchievement,
  Leaderboard,
  LeaderboardEntry,
  PushToken,
}
