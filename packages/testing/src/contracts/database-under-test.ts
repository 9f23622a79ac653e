import type { ControlDb, ControlPlane, TenantDb, Tenants } from "@hearth/core"
import { Effect, Exit } from "effect"

/** What the suite of the control plane needs: one that only it uses, because it empties its tables. */
export interface ControlPlaneHarness {
  readonly control: ControlPlane<ControlDb>
  /** Makes it unreachable, or reachable again. */
  readonly unreachable: (isUnreachable: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

/** What the suites of tenants need. `project` makes another project with its database and answers its id. */
export interface TenantsHarness {
  readonly tenants: Tenants<TenantDb>
  readonly project: () => Promise<string>
  readonly close: () => Promise<void>
}

type Work<Db, A, E> = (db: Db) => Effect.Effect<A, E>

/** One database, of a project or the control plane, as the suites use it. */
export interface DatabaseUnderTest<Db> {
  /** What `work` answers outside of a transaction. */
  readonly read: <A, E>(work: Work<Db, A, E>) => Promise<A>
  /** What `work` answers in a transaction. */
  readonly transact: <A, E>(work: Work<Db, A, E>) => Promise<A>
  /** How `work` ends in a transaction. Aborting the signal interrupts it. */
  readonly attempt: <A, E>(work: Work<Db, A, E>, signal?: AbortSignal) => Promise<Exit.Exit<A, unknown>>
  /** How `work` ends outside of a transaction. */
  readonly attemptRead: <A, E>(work: Work<Db, A, E>) => Promise<Exit.Exit<A, unknown>>
}

interface Plane<Db> {
  readonly read: <A, E>(work: Work<Db, A, E>) => Effect.Effect<A, unknown>
  readonly transact: <A, E>(work: Work<Db, A, E>) => Effect.Effect<A, unknown>
}

const databaseOf = <Db>(plane: Plane<Db>): DatabaseUnderTest<Db> => ({
  read: (work) => Effect.runPromise(plane.read(work)),
  transact: (work) => Effect.runPromise(plane.transact(work)),
  attempt: (work, signal) => Effect.runPromiseExit(plane.transact(work), signal === undefined ? {} : { signal }),
  attemptRead: (work) => Effect.runPromiseExit(plane.read(work)),
})

/** The control database. */
export const controlDatabase = (control: ControlPlane<ControlDb>): DatabaseUnderTest<ControlDb> => databaseOf(control)

/** The database of one project. */
export const tenantDatabase = (tenants: Tenants<TenantDb>, projectId: string): DatabaseUnderTest<TenantDb> =>
  databaseOf({
    read: (work) => tenants.read(projectId, work),
    transact: (work) => tenants.transact(projectId, work),
  })

/** Whether an exit is a defect, and neither a failure nor an interruption. */
export const died = (exit: Exit.Exit<unknown, unknown>): boolean => Exit.hasDies(exit) && !Exit.hasFails(exit)

/** The failure of an exit; null when it did not fail. */
export const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  exit._tag === "Failure" ? (exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error ?? null) : null
