import { EngagementEvent, OutboxEntry } from "./event.ts"
import { Segment } from "./segment.ts"
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
  EngagementEvent,
  OutboxEntry,
  StreakDefinition,
  UserStreak,
  StreakPeriod,
  StreakGrant,
}
