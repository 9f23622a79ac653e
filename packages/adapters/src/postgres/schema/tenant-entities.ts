import { Achievement, UserAchievement } from "../achievements/entities.ts"
import { AccountLink, MagicLink } from "../auth/entities.ts"
import { DeadLetter, OutboxEntry } from "../background/entities.ts"
import { EngagementEvent } from "../events/entities.ts"
import { Leaderboard, LeaderboardEntry } from "../leaderboards/entities.ts"
import { PushToken } from "../push/entities.ts"
import { Segment, SegmentMembership } from "../segments/entities.ts"
import { StreakDefinition, StreakGrant, StreakPeriod, UserStreak } from "../streaks/entities.ts"
import { Entitlement, RefreshToken, SessionFamily, User } from "../users/entities.ts"

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
  DeadLetter,
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
