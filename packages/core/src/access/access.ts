import { Effect, Option } from "effect"
import { type AppEventRules, defaultEventRules } from "../events/app-event-rules.ts"
import { InvalidToken, type TenantFailure, Unauthorized } from "../failure.ts"
import type { ProjectLimits } from "../limits/project-limits.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import type { ProjectRow, Role } from "../projects/records.ts"
import { isUuid } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import type { LimitLookups } from "./limit-lookups.ts"
import { makeTtlCache } from "./ttl-cache.ts"

/** An end user who presented a valid session token. */
export interface SessionCaller {
  readonly project_id: string
  readonly user_id: string
  readonly session_id: string
  /** When the token expires. */
  readonly expires_at: Date
}

/** A developer who presented a valid access token. */
export interface DeveloperCaller {
  readonly developer_id: string
  readonly session_id: string
  /** When the token expires. */
  readonly expires_at: Date
}

// Where a revocation cannot be told, it holds within 10 seconds [B1]. Half of that leaves room.
const freshMillis = 5_000
// A role allows writes, so it is remembered for less. What changes a project re-reads it under its lock.
const freshRoleMillis = 1_000

/** What a project says about its apps. */
interface AppRules {
  readonly events: AppEventRules
  readonly limits: ProjectLimits
}

const readAppRules = ({ server_events, client_backdate_hours, limits }: ProjectRow): AppRules => ({
  events: { server_events: new Set(server_events), client_backdate_hours },
  limits,
})

const defaultAppRules: AppRules = { events: defaultEventRules, limits: {} }

const foreignToken = () =>
  new InvalidToken(undefined, "The session token belongs to another project than the client key.")

const endedSession = () =>
  new InvalidToken(
    undefined,
    "The session has ended: it was logged out or revoked, or its user was disabled or deleted.",
  )

/**
 * Finds out who a caller is and which project and role they have. Answers are remembered for five seconds, roles for one,
 * unless they are revoked before, so that most requests need no query for their credentials [B1].
 */
export const makeAccess = (
  {
    clock,
    control,
    revocations,
    tenants,
    tokens,
  }: Pick<Ports<UsersDb, ProjectsDb>, "clock" | "control" | "revocations" | "tenants" | "tokens">,
  limit: LimitLookups,
) => {
  const shared = { clock, revocations }
  const keys = makeTtlCache({
    ...shared,
    millis: freshMillis,
    lookup: (key) =>
      limit(
        "control",
        control.read((db) => db.apiKeys.projectOf(key)),
      ),
    dependsOn: (_, projectId) => (projectId === null ? [] : [projectId]),
  })
  const appRules = makeTtlCache({
    ...shared,
    millis: freshMillis,
    lookup: (id) => {
      const found = control.read((db) => db.projects.find({ id }))
      return limit("control", Effect.map(found, Option.map(readAppRules)))
    },
    dependsOn: (id) => [id],
  })
  const roles = makeTtlCache({
    ...shared,
    millis: freshRoleMillis,
    lookup: (pair) => {
      const [projectId = "", developerId = ""] = pair.split("/")
      return limit(
        "control",
        control.read((db) => db.members.roleOf(projectId, developerId)),
      )
    },
    dependsOn: (pair) => pair.split("/"),
  })
  const sessions = makeTtlCache({
    ...shared,
    millis: freshMillis,
    lookup: (triple) => {
      const [projectId = "", userId = "", sessionId = ""] = triple.split("/")
      return limit(
        projectId,
        tenants.read(projectId, (db) => db.users.hasLiveSession(userId, sessionId)),
      )
    },
    dependsOn: (triple) => triple.split("/"),
  })

  const developerSessions = makeTtlCache({
    ...shared,
    millis: freshMillis,
    lookup: (pair) => {
      const [developerId = "", id = ""] = pair.split("/")
      const found = control.read((db) => db.sessions.families.find({ id, owner_id: developerId }))
      const isLive = Effect.map(
        found,
        Option.exists(({ revoked_at }) => revoked_at === null),
      )
      return limit("control", isLive)
    },
    dependsOn: (pair) => pair.split("/"),
  })

  const findAppRules = (projectId: string) =>
    Effect.map(
      appRules.get(projectId),
      Option.getOrElse(() => defaultAppRules),
    )

  const liveSession = Effect.fnUntraced(function* (
    caller: SessionCaller,
  ): Effect.fn.Return<SessionCaller, InvalidToken | TenantFailure> {
    const live = yield* sessions.get(`${caller.project_id}/${caller.user_id}/${caller.session_id}`)
    return live ? caller : yield* endedSession()
  })

  const liveDeveloper = Effect.fnUntraced(function* (
    caller: DeveloperCaller,
  ): Effect.fn.Return<DeveloperCaller, Unauthorized> {
    const live = yield* developerSessions.get(`${caller.developer_id}/${caller.session_id}`)
    if (live) return caller
    return yield* new Unauthorized(undefined, "The session has ended: it was logged out or revoked.")
  })

  return {
    /** The project of a client key; null for one that is unknown or revoked [B1]. */
    projectOfKey: (key: string): Effect.Effect<string | null> => keys.get(key),

    /** Which events the apps of a project may write [G0.1, G0.2]. For an unknown project those of a new one. */
    eventRules: (projectId: string): Effect.Effect<AppEventRules> =>
      Effect.map(findAppRules(projectId), ({ events }) => events),

    /** What a project allows its users to write [I0.1]. For an unknown project nothing beyond the service's own limits. */
    projectLimits: (projectId: string): Effect.Effect<ProjectLimits> =>
      Effect.map(findAppRules(projectId), ({ limits }) => limits),

    /** The user of a session token, if it was issued for this project and its session is live [B1]. `INVALID_TOKEN` otherwise. */
    session: Effect.fnUntraced(function* (
      projectId: string,
      token: string,
    ): Effect.fn.Return<SessionCaller, InvalidToken | TenantFailure> {
      const claims = yield* tokens.verify("session", token)
      if (claims.pid !== projectId) return yield* foreignToken()
      const { sub: user_id, sid: session_id, expires_at } = claims
      return yield* liveSession({ project_id: projectId, user_id, session_id, expires_at })
    }),

    /** A caller whom `session` has answered, if the session is still live; the token may have expired since. `INVALID_TOKEN` otherwise. */
    liveSession,

    /** The developer of an access token, if its session is live [B1, B5]. `UNAUTHORIZED` otherwise. */
    developer: Effect.fnUntraced(function* (token: string): Effect.fn.Return<DeveloperCaller, Unauthorized> {
      const claims = yield* Effect.mapError(
        tokens.verify("developer_access", token),
        ({ message }) => new Unauthorized(undefined, message),
      )
      const { sub: developer_id, sid: session_id, expires_at } = claims
      return yield* liveDeveloper({ developer_id, session_id, expires_at })
    }),

    /** A caller whom `developer` has answered, if the session is still live; the token may have expired since. `UNAUTHORIZED` otherwise. */
    liveDeveloper,

    /** The role of a developer in a project. Null for a malformed id [A6], an unknown project, and without a membership [B2]. */
    roleIn: (projectId: string, developerId: string): Effect.Effect<Role | null> =>
      !isUuid(projectId) ? Effect.succeed(null) : roles.get(`${projectId.toLowerCase()}/${developerId}`),
  }
}

/** Finds out who a caller is and which project and role they have. */
export type Access = ReturnType<typeof makeAccess>
