import type {
  AccountLink,
  Achievement,
  Clock,
  Leaderboard,
  LeaderboardEntry,
  PushToken,
  StreakDefinition,
  TenantDb,
  UserAchievement,
} from "@hearth/core"
import { makeMagicLinks } from "./auth/magic-links.ts"
import { makeSessions } from "./auth/sessions.ts"
import { makeDeadLetters } from "./background/dead-letters.ts"
import { makeOutbox } from "./background/outbox.ts"
import type { Statements } from "./connections/statements.ts"
import { makeEntitlements } from "./entitlements/entitlements.ts"
import { makeEvents } from "./events/events.ts"
import { makeExports } from "./exports/exports.ts"
import type { TableShape, tenantSchema } from "./schema/schema.ts"
import { makeSegmentMembers } from "./segments/segment-members.ts"
import { makeSegments } from "./segments/segments.ts"
import { makeTable } from "./sql/table.ts"
import { makeUserStreaks } from "./streaks/streaks.ts"
import { makeUsers } from "./users/users.ts"

/** The tables of a project's database. */
export type TenantShapes = Readonly<Record<keyof typeof tenantSchema.entities, TableShape>>

/**
 * A project's database for one piece of work. Repositories are made when they are asked for, since most calls need one of
 * them; a class, because an object with as many getters takes microseconds to make.
 */
export class PostgresTenantDb implements TenantDb {
  readonly #statements: Statements
  readonly #shapes: TenantShapes
  readonly #clock: Clock
  constructor(statements: Statements, shapes: TenantShapes, clock: Clock) {
    this.#statements = statements
    this.#shapes = shapes
    this.#clock = clock
  }
  get users() {
    return makeUsers(this.#statements, this.#shapes.User)
  }
  get sessions() {
    return makeSessions(this.#statements, this.#shapes)
  }
  get accountLinks() {
    return makeTable<AccountLink>(this.#statements, this.#shapes.AccountLink)
  }
  get magicLinks() {
    return makeMagicLinks(this.#statements, this.#shapes.MagicLink)
  }
  get entitlements() {
    return makeEntitlements(this.#statements, this.#shapes.Entitlement)
  }
  get segments() {
    return makeSegments(this.#statements, this.#shapes)
  }
  get segmentMembers() {
    return makeSegmentMembers(this.#statements)
  }
  get events() {
    return makeEvents(this.#statements, this.#clock)
  }
  get outbox() {
    return makeOutbox(this.#statements, this.#clock)
  }
  get deadLetters() {
    return makeDeadLetters(this.#statements, this.#shapes.DeadLetter)
  }
  get exports() {
    return makeExports(this.#statements)
  }
  get streakDefinitions() {
    return makeTable<StreakDefinition>(this.#statements, this.#shapes.StreakDefinition)
  }
  get userStreaks() {
    return makeUserStreaks(this.#statements, this.#shapes.UserStreak)
  }
  get achievements() {
    return makeTable<Achievement>(this.#statements, this.#shapes.Achievement)
  }
  get userAchievements() {
    return makeTable<UserAchievement>(this.#statements, this.#shapes.UserAchievement)
  }
  get leaderboards() {
    return makeTable<Leaderboard>(this.#statements, this.#shapes.Leaderboard)
  }
  get leaderboardEntries() {
    return makeTable<LeaderboardEntry>(this.#statements, this.#shapes.LeaderboardEntry)
  }
  get pushTokens() {
    return makeTable<PushToken>(this.#statements, this.#shapes.PushToken)
  }
}
