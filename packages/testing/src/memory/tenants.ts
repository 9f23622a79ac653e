import { type Clock, type FaultKind, type TenantDb, type Tenants, TenantUnavailable } from "@hearth/core"
import { Effect } from "effect"
import { achievementShape, userAchievementShape } from "../achievements/memory.ts"
import { accountLinkShape, magicLinkShape, memoryMagicLinks } from "../auth/memory.ts"
import { memorySessionStore } from "../auth/memory-sessions.ts"
import { memoryOutbox } from "../background/memory.ts"
import { deadLetterShape, memoryDeadLetters } from "../background/memory-dead-letters.ts"
import { outboxShape } from "../background/memory-outbox-rows.ts"
import { memoryEntitlements } from "../entitlements/memory.ts"
import { eventShape, memoryEvents } from "../events/memory.ts"
import { memoryExports } from "../exports/memory.ts"
import { leaderboardEntryShape, leaderboardShape } from "../leaderboards/memory.ts"
import { pushTokenShape } from "../push/memory.ts"
import { memorySegments } from "../segments/memory.ts"
import { memorySegmentMembers } from "../segments/memory-members.ts"
import { membershipShape, segmentShape } from "../segments/memory-shapes.ts"
import { memoryUserStreaks, streakDefinitionShape, userStreakShape } from "../streaks/memory.ts"
import { streakGrantShape, streakPeriodShape } from "../streaks/memory-periods.ts"
import { memoryUsers } from "../users/memory.ts"
import { entitlementShape, userSessionShapes, userShape } from "../users/memory-shapes.ts"
import { type MemoryDatabase, memoryDatabase, type Statements } from "./database.ts"
import { memoryTable } from "./table.ts"

const shapes = [
  userShape,
  userSessionShapes.families,
  userSessionShapes.refreshTokens,
  accountLinkShape,
  magicLinkShape,
  entitlementShape,
  segmentShape,
  membershipShape,
  eventShape,
  outboxShape,
  deadLetterShape,
  streakDefinitionShape,
  userStreakShape,
  streakPeriodShape,
  streakGrantShape,
  achievementShape,
  userAchievementShape,
  leaderboardShape,
  leaderboardEntryShape,
  pushTokenShape,
]

const tenantDb = (statements: Statements, clock: Clock): TenantDb => ({
  users: memoryUsers(statements),
  sessions: memorySessionStore(statements, userSessionShapes),
  accountLinks: memoryTable(statements, accountLinkShape),
  magicLinks: memoryMagicLinks(statements),
  segments: memorySegments(statements),
  entitlements: memoryEntitlements(statements),
  segmentMembers: memorySegmentMembers(statements),
  events: memoryEvents(statements, clock),
  outbox: memoryOutbox(statements, clock),
  deadLetters: memoryDeadLetters(statements),
  exports: memoryExports(statements),
  streakDefinitions: memoryTable(statements, streakDefinitionShape),
  userStreaks: memoryUserStreaks(statements),
  achievements: memoryTable(statements, achievementShape),
  userAchievements: memoryTable(statements, userAchievementShape),
  leaderboards: memoryTable(statements, leaderboardShape),
  leaderboardEntries: memoryTable(statements, leaderboardEntryShape),
  pushTokens: memoryTable(statements, pushTokenShape),
})

/** The databases of projects in memory. */
export interface MemoryTenants extends Tenants<TenantDb> {
  /** Makes a project's database unreachable, or reachable again. Work that is under way there fails too. */
  unreachable(projectId: string, isUnreachable: boolean): void
}

/** A defect for tests: what a database would have said of it. */
export class SimulatedFault extends Error {
  override readonly name = "SimulatedFault"
  readonly kind: FaultKind
  constructor(kind: FaultKind) {
    super(`A simulated fault: ${kind}.`)
    this.kind = kind
  }
}

const unavailableIsFailure = (defect: unknown): Effect.Effect<never, TenantUnavailable> =>
  defect instanceof TenantUnavailable ? Effect.fail(defect) : Effect.die(defect)

/** No databases yet. The transactions of one run one after the other; those of several do not wait for one another. */
export const memoryTenants = ({
  clock = { now: () => new Date() },
}: {
  readonly clock?: Clock
} = {}): MemoryTenants => {
  const databases = new Map<string, MemoryDatabase>()
  const cut = new Set<string>()

  const reach = (projectId: string) => {
    if (cut.has(projectId)) throw new TenantUnavailable()
  }
  const within = <A, E>(projectId: string, work: (database: MemoryDatabase) => Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | TenantUnavailable> => {
      const database = databases.get(projectId)
      return database === undefined || cut.has(projectId) ? Effect.fail(new TenantUnavailable()) : work(database)
    }).pipe(Effect.catchDefect(unavailableIsFailure))

  return {
    read: (projectId, work) => within(projectId, (database) => work(tenantDb(database.outside, clock))),
    transact: (projectId, work) =>
      within(projectId, (database) => database.transact((statements) => work(tenantDb(statements, clock)))),
    faultOf: (defect) => {
      if (defect instanceof SimulatedFault) return defect.kind
      return defect instanceof TenantUnavailable ? "passing" : "fault"
    },
    create: (projectId) =>
      Effect.sync(() => {
        reach(projectId)
        if (databases.has(projectId)) throw new Error(`There is a database of project ${projectId} already.`)
        const database: MemoryDatabase = memoryDatabase(shapes, () => {
          if (databases.get(projectId) !== database) throw new TenantUnavailable()
          reach(projectId)
        })
        databases.set(projectId, database)
      }),
    drop: (projectId) =>
      Effect.sync(() => {
        reach(projectId)
        databases.delete(projectId)
      }),
    unreachable: (projectId, isUnreachable) => {
      if (isUnreachable) cut.add(projectId)
      else cut.delete(projectId)
    },
  }
}
