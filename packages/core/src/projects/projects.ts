import { Effect } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { systemSegments } from "../segments/system-segments.ts"
import { newApiKey } from "./api-keys.ts"
import { checkCaller, checkOwner } from "./check-role.ts"
import type { ProjectsDb } from "./port.ts"
import type { NewProject, ProjectChanges, ProjectRow } from "./records.ts"

// A project that is not ready for this long belongs to a creation or removal that was interrupted.
const abandonedMillis = 10 * 60_000

/** Projects: each has a database of its own, and developers as members (decisions, C). */
export const makeProjects = (
  ports: Pick<Ports<SegmentsDb, ProjectsDb>, "clock" | "control" | "ids" | "revocations" | "signals" | "tenants">,
) => {
  const { clock, control, ids, revocations, signals, tenants } = ports

  const provision = Effect.fnUntraced(function* (projectId: string) {
    yield* tenants.create(projectId)
    yield* Effect.orDie(
      tenants.transact(projectId, (db) =>
        Effect.forEach(
          systemSegments,
          (segment) =>
            db.segments.insert({
              ...segment,
              id: ids.uuid(),
              is_system: true,
              user_count: 0,
              last_evaluated_at: null,
              created_at: clock.now(),
            }),
          { discard: true },
        ),
      ),
    )
  })

  const erase = Effect.fnUntraced(function* (projectId: string) {
    yield* tenants.drop(projectId)
    yield* control.transact((db) => db.projects.remove({ id: projectId }))
  })

  return {
    /**
     * Creates a project with its database and its first client key, and makes the caller its owner. Answers when it can be
     * used. A failure leaves neither row nor database [C2].
     */
    create: Effect.fn("projects.create")(function* (developerId: string, input: NewProject) {
      const now = clock.now()
      const project: ProjectRow = { ...input, id: ids.uuid(), is_ready: false, created_at: now, updated_at: now }
      const key = newApiKey(ports, project.id, null)
      const owner = {
        id: ids.uuid(),
        project_id: project.id,
        developer_id: developerId,
        role: "owner" as const,
        created_at: now,
      }
      yield* control.transact((db) => Effect.orDie(db.projects.insert(project)))
      yield* provision(project.id).pipe(
        Effect.andThen(
          control.transact(
            Effect.fnUntraced(function* (db) {
              yield* Effect.orDie(db.members.insert(owner))
              yield* Effect.orDie(db.apiKeys.insert(key))
              yield* Effect.orDie(db.projects.update(project.id, { is_ready: true }))
            }),
          ),
        ),
        Effect.onError(() => Effect.ignoreCause(erase(project.id))),
      )
      return { ...project, client_api_key: key.key }
    }),

    /** The projects that a developer is a member of, newest first. */
    list: (developerId: string, slice: Slice) => control.read((db) => db.projects.pageOfMember(developerId, slice)),

    /** One project. */
    get: (projectId: string) =>
      orFail(
        control.read((db) => db.projects.find({ id: projectId, is_ready: true })),
        NotFound,
      ),

    /** Changes the fields that are given. */
    update: (projectId: string, callerId: string, changes: ProjectChanges) =>
      control.transact((db) =>
        checkCaller(db, projectId, callerId).pipe(
          Effect.andThen(
            Object.keys(changes).length === 0
              ? db.projects.find({ id: projectId })
              : Effect.orDie(db.projects.update(projectId, { ...changes, updated_at: clock.now() })),
          ),
          (found) => orFail(found, NotFound),
        ),
      ),

    /**
     * Removes a project with its database. It is hidden first, which ends all of its keys, roles and sessions [B1], and an
     * interrupted removal is finished later.
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

    /** Erases projects left by interrupted creations and removals. One that cannot be erased is retried at the next call. */
    eraseAbandoned: Effect.fn("projects.eraseAbandoned")(function* () {
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
