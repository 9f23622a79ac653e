import {
  type Clock,
  type FaultKind,
  ServiceUnavailable,
  TenantBusy,
  type TenantDb,
  type TenantFailure,
  type Tenants,
  TenantUnavailable,
} from "@hearth/core"
import { Effect } from "effect"
import { sumUp } from "../feature.ts"
import { tenantParts } from "../features.ts"
import { keepIds } from "./columns.ts"
import { type MemoryDatabase, memoryDatabase } from "./database.ts"
import { lazyDb } from "./lazy-db.ts"
import { Deadlock } from "./locks.ts"

const shapes = tenantParts.flatMap((part) => part.shapes)

const sections = sumUp(tenantParts.map((part) => part.sections ?? {}))

/** The databases of projects in memory. */
export interface MemoryTenants extends Tenants<TenantDb> {
  /** Makes a project's database unreachable, or reachable again. Work that is under way there fails too. */
  unreachable(projectId: string, isUnreachable: boolean): void
  /** Refuses work in a project's database as busy, as while its schema is brought up to date, or no longer. */
  busy(projectId: string, isBusy: boolean): void
}

/** A defect for tests, with the kind that `faultOf` answers for it. */
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

/** Tenants without databases. Their transactions overlap, and wait for one another's locks as on PostgreSQL. */
export const memoryTenants = ({
  clock = { now: () => new Date() },
  onCommitted = () => {},
}: {
  readonly clock?: Clock
  /** Called after each transaction of a project. */
  readonly onCommitted?: (projectId: string) => void
} = {}): MemoryTenants => {
  const tenantDb = lazyDb<TenantDb>(tenantParts, clock, sections)
  const databases = new Map<string, MemoryDatabase>()
  // Made once: what is read outside of transactions has no state of its own.
  const outside = new WeakMap<MemoryDatabase, TenantDb>()
  const outsideOf = (database: MemoryDatabase): TenantDb => {
    const db = outside.get(database) ?? tenantDb(database.outside)
    outside.set(database, db)
    return db
  }
  const unreachable = new Set<string>()
  const busy = new Set<string>()

  const requireReachable = (projectId: string) => {
    if (unreachable.has(projectId)) throw new TenantUnavailable()
  }
  const withDatabase = <A, E>(projectId: string, work: (database: MemoryDatabase) => Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | TenantFailure> => {
      const id = projectId.toLowerCase()
      if (busy.has(id)) return Effect.fail(new TenantBusy({ retry_after_seconds: 1 }))
      const database = databases.get(id)
      return database === undefined || unreachable.has(id) ? Effect.fail(new TenantUnavailable()) : work(database)
    }).pipe(Effect.catchDefect(unavailableIsFailure))

  return {
    read: (projectId, work) => withDatabase(projectId, (database) => work(outsideOf(database))),
    transact: (projectId, work) =>
      Effect.tap(
        withDatabase(projectId, (database) => database.transact((statements) => work(tenantDb(statements)))),
        () => Effect.sync(() => onCommitted(projectId)),
      ),
    faultOf: (defect) => {
      if (defect instanceof SimulatedFault) return defect.kind
      const isPassing =
        defect instanceof TenantUnavailable || defect instanceof ServiceUnavailable || defect instanceof Deadlock
      return isPassing ? "passing" : "fault"
    },
    create: (given) =>
      Effect.sync(() => {
        const [projectId = ""] = keepIds([given])
        requireReachable(projectId)
        if (databases.has(projectId)) throw new Error(`There is a database of project ${projectId} already.`)
        const database: MemoryDatabase = memoryDatabase(shapes, () => {
          if (databases.get(projectId) !== database) throw new TenantUnavailable()
          requireReachable(projectId)
        })
        databases.set(projectId, database)
      }),
    drop: (given) =>
      Effect.sync(() => {
        const [projectId = ""] = keepIds([given])
        requireReachable(projectId)
        databases.delete(projectId)
      }),
    unreachable: (projectId, isUnreachable) => {
      if (isUnreachable) unreachable.add(projectId.toLowerCase())
      else unreachable.delete(projectId.toLowerCase())
    },
    busy: (projectId, isBusy) => {
      if (isBusy) busy.add(projectId.toLowerCase())
      else busy.delete(projectId.toLowerCase())
    },
  }
}
