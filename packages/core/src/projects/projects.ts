import { Effect } from "effect"
import { NotFound, QuotaExceeded, type RateLimitExceeded, TenantBusy, Unauthorized } from "../failure.ts"
import { changeLimits } from "../limits/project-limits.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { systemSegments } from "../segments/system-segments.ts"
import { newApiKey } from "./api-keys.ts"
import { checkCaller, checkOwner } from "./check-role.ts"
import { makeCreationLine, retryAfterSeconds } from "./creation-line.ts"
import type { ProjectsDb } from "./port.ts"
import { type NewProject, type ProjectChanges, type ProjectRow, projectDefaults } from "./records.ts"

// A project that is not ready for this long belongs to a creation or removal that was interrupted.
const abandonedMillis = 10 * 60_000

/** What bounds the projects that developers create. */
export interface CreationBounds {
  /** Counts a project that a developer creates. */
  readonly count: (developerId: string) => Effect.Effect<void, RateLimitExceeded>
  /** How many projects a developer may own; null is no bound. */
  readonly owned: number | null
}

/** Whether a change is about what apps may write, which is remembered with their keys. */
const bindsApps = ({ server_events, client_backdate_hours, limits }: ProjectChanges): boolean =>
  server_events !== undefined || client_backdate_hours !== undefined || limits !== undefined

const unbounded: CreationBounds = { count: () => Effect.void, owned: null }

/** What goes with a project beside its databases. */
export interface ProjectRemains<Control> {
  /** Called in the transaction that removes the project. */
  readonly note: (db: Control, projectId: string) => Effect.Effect<void>
  /** Called after it: what it does not do is done later. */
  readonly sweepNow: (projectId: string) => Effect.Effect<unknown>
}

/** Projects: each has a database of its own, and developers as members (decisions, C). */
export const makeProjects = <Control extends ProjectsDb>(
  ports: Pick<Ports<SegmentsDb, Control>, "clock" | "control" | "ids" | "revocations" | "signals" | "tenants">,
  remains: ProjectRemains<Control>,
  bounds: CreationBounds = unbounded,
) => {
  const { clock, control, ids, revocations, signals, tenants } = ports
  const waitInLine = makeCreationLine()

  /** Fails when a developer owns as many projects as a developer may, those that are being created included. */
  const checkQuota = Effect.fnUntraced(function* (db: ProjectsDb, developer_id: string) {
    const { owned } = bounds
    // Locked, so that of creations at once each sees the ones before it.
    yield* orFail(db.developers.lock(developer_id), Unauthorized)
    if (owned === null) return
    const { total } = yield* db.members.page({ developer_id, role: "owner" }, [], { limit: 1, offset: 0 })
    if (total >= owned) return yield* new QuotaExceeded({ limit: owned })
  })

  const provision = Effect.fnUntraced(function* (projectId: string) {
    yield* tenants.create(projectId)
    yield* tenants
      .transact(projectId, (db) =>
        Effect.forEach(
          systemSegments,
          (segment) =>
            Effect.orDie(
              db.segments.insert({
                ...segment,
                id: ids.uuid(),
                is_system: true,
                user_count: 0,
                last_evaluated_at: null,
                created_at: clock.now(),
                campaign_id: null,
              }),
            ),
          { discard: true },
        ),
      )
      // Whatever was written is removed with the database, so that no outcome is unknown. The caller tries again.
      .pipe(
        Effect.catchTag(["TenantUnavailable", "ProjectNotFound"], () =>
          Effect.fail(new TenantBusy({ retry_after_seconds: retryAfterSeconds })),
        ),
      )
  })

  const erase = Effect.fnUntraced(function* (projectId: string) {
    yield* tenants.drop(projectId)
    yield* control.transact((db) => Effect.andThen(db.projects.remove({ id: projectId }), remains.note(db, projectId)))
    yield* remains.sweepNow(projectId)
  })

  const create = Effect.fnUntraced(function* (developerId: string, input: NewProject) {
    const now = clock.now()
    const given = { ...projectDefaults, ...input }
    const project: ProjectRow = { ...given, id: ids.uuid(), is_ready: false, created_at: now, updated_at: now }
    const key = newApiKey(ports, project.id, null)
    const owner = {
      id: ids.uuid(),
      project_id: project.id,
      developer_id: developerId,
      role: "owner" as const,
      created_at: now,
    }
    // The owner is written at once, and counts; a project that is not ready has no members for anybody else.
    yield* control.transact(
      Effect.fnUntraced(function* (db) {
        yield* checkQuota(db, developerId)
        yield* Effect.orDie(db.projects.insert(project))
        yield* Effect.orDie(db.members.insert(owner))
      }),
    )
    yield* provision(project.id).pipe(
      Effect.andThen(
        control.transact(
          Effect.fnUntraced(function* (db) {
            yield* Effect.orDie(db.apiKeys.insert(key))
            yield* Effect.orDie(db.projects.update(project.id, { is_ready: true }))
          }),
        ),
      ),
      Effect.onError(() => Effect.ignoreCause(erase(project.id))),
    )
    return { ...project, client_api_key: key.key }
  })

  return {
    /**
     * Creates a project with its database and its first client key, and makes the caller its owner. Answers when it can be used. A
     * failure leaves neither row nor database [C2]. `RATE_LIMIT_EXCEEDED` for too many creations [B14]; `QUOTA_EXCEEDED` when the caller
     * owns as many as a developer may; `UNAUTHORIZED` for a developer who is not there; `TENANT_BUSY` when too many are being created,
     * or the new database does not answer.
     */
    create: Effect.fn("projects.create")(function* (developerId: string, input: NewProject) {
      // First, so that one developer cannot fill the line.
      yield* bounds.count(developerId)
      return yield* waitInLine(create(developerId, input))
    }),

    /** The projects that a developer is a member of, newest first [C1]. */
    list: (developerId: string, slice: Slice) => control.read((db) => db.projects.pageOfMember(developerId, slice)),

    /** One project [C2]. `NOT_FOUND` also until it is ready. */
    get: (projectId: string) =>
      orFail(
        control.read((db) => db.projects.find({ id: projectId, is_ready: true })),
        NotFound,
      ),

    /**
     * Changes the fields that are given. What apps and their users may write holds in other processes within a second. `NOT_FOUND`;
     * `FORBIDDEN` by the caller's role [B2].
     */
    update: (projectId: string, callerId: string, changes: ProjectChanges) =>
      control
        .transact(
          Effect.fnUntraced(function* (db) {
            yield* checkCaller(db, projectId, callerId)
            // Locked, because limits that are not named stay as they are.
            const project = yield* orFail(db.projects.lock(projectId), NotFound)
            if (Object.keys(changes).length === 0) return project
            const limits = changeLimits(project.limits, changes.limits ?? {})
            const row = { ...changes, limits, updated_at: clock.now() }
            return yield* orFail(Effect.orDie(db.projects.update(projectId, row)), NotFound)
          }),
        )
        .pipe(Effect.ensuring(bindsApps(changes) ? revocations.announce([projectId]) : Effect.void)),

    /**
     * Removes a project with its database. It is hidden first, which ends all of its keys, roles and sessions [B1], and an interrupted
     * removal is finished later. `FORBIDDEN` by the caller's role [B2].
     */
    remove: Effect.fn("projects.remove")(function* (projectId: string, callerId: string) {
      yield* control
        .transact((db) =>
          Effect.andThen(
            checkOwner(db, projectId, callerId),
            Effect.orDie(db.projects.update(projectId, { is_ready: false, updated_at: clock.now() })),
          ),
        )
        .pipe(Effect.ensuring(revocations.announce([projectId])))
      yield* erase(projectId)
    }),

    /** Erases projects left by interrupted creations and removals. One that cannot be erased is retried at the next call [C2]. */
    eraseAbandoned: Effect.fnUntraced(function* () {
      const before = clock.now().getTime() - abandonedMillis
      const hidden = yield* control.read((db) => db.projects.list({ is_ready: false }, [["created_at", "asc"]]))
      yield* Effect.forEach(
        hidden.filter((project) => project.updated_at.getTime() < before),
        (project) =>
          Effect.catchCause(erase(project.id), (cause) =>
            Effect.sync(() =>
              signals.emit({ name: "processing_failed", project_id: project.id, reason: String(cause).slice(0, 500) }),
            ),
          ),
        { discard: true },
      )
    }),
  }
}
