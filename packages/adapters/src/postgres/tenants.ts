import type {
  AccountLink,
  Achievement,
  Clock,
  Leaderboard,
  LeaderboardEntry,
  PushToken,
  StreakDefinition,
  TenantDb,
  Tenants,
  UserAchievement,
} from "@hearth/core"
import { TenantUnavailable } from "@hearth/core"
import { Cause, Effect } from "effect"
import pg from "pg"
import { ConnectionLost } from "./connection-lost.ts"
import type { Connections } from "./connections.ts"
import { makeEntitlements } from "./entitlements.ts"
import { makeEvents } from "./events.ts"
import { makeExports } from "./exports.ts"
import { makeMagicLinks } from "./magic-links.ts"
import { makeOutbox } from "./outbox.ts"
import type { TableShape, tenantSchema } from "./schema.ts"
import { makeSegmentMembers } from "./segment-members.ts"
import { makeSegments } from "./segments.ts"
import { makeSessions } from "./sessions.ts"
import { inTransaction, pooledStatements, type Statements } from "./statements.ts"
import { makeUserStreaks } from "./streaks.ts"
import { makeTable } from "./table.ts"
import type { TenantDatabases } from "./tenant-databases.ts"
import { makeUsers } from "./users.ts"

type Shapes = Readonly<Record<keyof typeof tenantSchema.entities, TableShape>>

/** The repositories are made when they are first asked for: most calls need one of them. */
const tenantDb = (statements: Statements, shapes: Shapes, clock: Clock): TenantDb => ({
  get users() {
    return makeUsers(statements, shapes.User)
  },
  get sessions() {
    return makeSessions(statements, shapes)
  },
  get accountLinks() {
    return makeTable<AccountLink>(statements, shapes.AccountLink)
  },
  get magicLinks() {
    return makeMagicLinks(statements, shapes.MagicLink)
  },
  get entitlements() {
    return makeEntitlements(statements, shapes.Entitlement)
  },
  get segments() {
    return makeSegments(statements, shapes)
  },
  get segmentMembers() {
    return makeSegmentMembers(statements)
  },
  get events() {
    return makeEvents(statements, clock)
  },
  get outbox() {
    return makeOutbox(statements, clock)
  },
  get exports() {
    return makeExports(statements)
  },
  get streakDefinitions() {
    return makeTable<StreakDefinition>(statements, shapes.StreakDefinition)
  },
  get userStreaks() {
    return makeUserStreaks(statements, shapes.UserStreak)
  },
  get achievements() {
    return makeTable<Achievement>(statements, shapes.Achievement)
  },
  get userAchievements() {
    return makeTable<UserAchievement>(statements, shapes.UserAchievement)
  },
  get leaderboards() {
    return makeTable<Leaderboard>(statements, shapes.Leaderboard)
  },
  get leaderboardEntries() {
    return makeTable<LeaderboardEntry>(statements, shapes.LeaderboardEntry)
  },
  get pushTokens() {
    return makeTable<PushToken>(statements, shapes.PushToken)
  },
})

/** What the tenants' adapter is made of. */
export interface TenantsParts {
  readonly connections: Connections
  readonly databases: TenantDatabases
  readonly shapes: Shapes
  readonly clock: Clock
  /** Databases whose schema could not be brought up to date: they are not used. */
  readonly outdated: ReadonlySet<string>
  /** Is told why a project is answered with `TenantUnavailable`. */
  readonly onUnavailable: (projectId: string, reason: unknown) => void
}

/** Every project in a database of its own. */
export const makeTenants = ({
  connections,
  databases,
  shapes,
  clock,
  outdated,
  onUnavailable,
}: TenantsParts): Tenants => {
  const refused = (projectId: string, reason: unknown) =>
    Effect.suspend(() => {
      onUnavailable(projectId, reason)
      return Effect.fail(new TenantUnavailable())
    })

  /** Runs `use` with the database of a project; a connection to it that is lost on the way is a failure. */
  const withDatabase = <A, E>(projectId: string, use: (database: string) => Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const database = databases.nameOf(projectId)
      if (outdated.has(database)) return refused(projectId, new Error(`The schema of ${database} is out of date.`))
      return Effect.catchCause(use(database), (cause): Effect.Effect<never, E | TenantUnavailable> => {
        const lost = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => isLostTo(database, defect))
        return lost === undefined ? Effect.failCause(cause) : refused(projectId, lost.defect)
      })
    })

  return {
    read: (projectId, work) =>
      withDatabase(projectId, (database) =>
        Effect.suspend(() => work(tenantDb(pooledStatements(connections, database), shapes, clock))),
      ),
    transact: (projectId, work) =>
      withDatabase(projectId, (database) =>
        inTransaction(connections, database, (statements) => work(tenantDb(statements, shapes, clock))),
      ),
    create: (projectId) => Effect.uninterruptible(Effect.promise(() => databases.create(projectId))),
    drop: (projectId) =>
      Effect.uninterruptible(
        Effect.promise(async () => {
          await connections.forget(databases.nameOf(projectId))
          await databases.drop(projectId)
        }),
      ),
  }
}

// Without its tables a database has the project's name, but it is not the project's.
const undefinedTable = "42P01"

const isLostTo = (database: string, defect: unknown) =>
  (defect instanceof ConnectionLost && defect.database === database) ||
  (defect instanceof pg.DatabaseError && defect.code === undefinedTable)
