import type { Effect } from "effect"
import type { Achievement, UserAchievement } from "../achievements/achievement.ts"
import type { AccountLink } from "../auth/account-link.ts"
import type { MagicLinks, SessionStore } from "../auth/port.ts"
import type { DeadLetters, Outbox } from "../background/port.ts"
import type { Entitlements } from "../entitlements/port.ts"
import type { Events } from "../events/port.ts"
import type { Exports } from "../exports/port.ts"
import type { TenantUnavailable } from "../failure.ts"
import type { Leaderboard, LeaderboardEntry } from "../leaderboards/leaderboard.ts"
import type { PushToken } from "../push/push-token.ts"
import type { SegmentMembers, Segments } from "../segments/port.ts"
import type { StreakDefinition } from "../streaks/definition.ts"
import type { UserStreaks } from "../streaks/port.ts"
import type { Users } from "../users/port.ts"
import type { Table } from "./table.ts"

/** Everything that a project has, bound to its own database. What is not in here cannot be touched. */
export interface TenantDb {
  readonly users: Users
  readonly sessions: SessionStore
  /** Unique: (`provider`, `provider_id`). Gone with their user. */
  readonly accountLinks: Table<AccountLink>
  readonly magicLinks: MagicLinks
  readonly segments: Segments
  readonly entitlements: Entitlements
  readonly segmentMembers: SegmentMembers
  readonly events: Events
  readonly outbox: Outbox
  readonly deadLetters: DeadLetters
  readonly exports: Exports
  readonly streakDefinitions: Table<StreakDefinition>
  readonly userStreaks: UserStreaks
  /** Unique: `key`. */
  readonly achievements: Table<Achievement>
  /** Unique: (`app_user_id`, `achievement_id`). Gone with their user or achievement. */
  readonly userAchievements: Table<UserAchievement>
  readonly leaderboards: Table<Leaderboard>
  /** Unique: (`leaderboard_id`, `window_start`, `app_user_id`). Gone with their user or leaderboard. */
  readonly leaderboardEntries: Table<LeaderboardEntry>
  /** Unique: `token`. Gone with their user. */
  readonly pushTokens: Table<PushToken>
}

/**
 * What sort of defect ended a piece of work. `fault`: of the code or of the data that it met, and it will come again. `timeout`: a
 * statement took too long. `passing`: a lost connection, a deadlock, a lock that was not granted, a full disk, a schema that does
 * not fit: nothing that the data could be blamed for.
 */
export type FaultKind = "fault" | "timeout" | "passing"

/** The databases of the projects. The project is always an argument, never ambient. */
export interface Tenants {
  /** Runs `work` outside of a transaction: each statement stands for itself and is committed when it answers. */
  read<A, E>(projectId: string, work: (db: TenantDb) => Effect.Effect<A, E>): Effect.Effect<A, E | TenantUnavailable>
  /**
   * Runs `work` in one transaction: all of it is committed when it succeeds, nothing when it fails, dies or is interrupted.
   * A `Duplicate` or a defect of a statement ends the transaction, as in PostgreSQL: work that goes on after it and succeeds dies.
   */
  transact<A, E>(
    projectId: string,
    work: (db: TenantDb) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E | TenantUnavailable>
  /** What sort of defect it is that `read` or `transact` died of. */
  faultOf(defect: unknown): FaultKind
  /** Makes a project's database, empty and migrated. One that is there is an error; a failure leaves none behind [C2]. */
  create(projectId: string): Effect.Effect<void>
  /** Removes a project's database. Nothing happens where there is none. */
  drop(projectId: string): Effect.Effect<void>
}
