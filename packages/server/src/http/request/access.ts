import { type Failure, isUuid, refuseToken, Unauthorized } from "@hearth/core"
import type { Access, DeveloperCaller, SessionCaller } from "@hearth/core/access"
import { type Role, refuseRole } from "@hearth/core/projects"
import { Effect } from "effect"
import type { RequestContext } from "../routing/request-context.ts"
import type { AccessKind, Method } from "../routing/route.ts"

/** The part of the core that knows credentials. */
export type Credentials = Pick<
  Access,
  "projectOfKey" | "session" | "liveSession" | "developer" | "liveDeveloper" | "roleIn"
>

/** The caller of a route, by its access. */
export type Caller =
  | SessionCaller
  | { readonly project_id: string }
  | (DeveloperCaller & { readonly role?: Role })
  | undefined

/** What is found out about a call with its credentials. */
type Known = Pick<RequestContext, "facts" | "caller">

/** What a route says about its callers. */
export interface AccessOptions {
  readonly method: Method
  readonly access: AccessKind
  readonly role?: Role
  /** Whether the path names a project whose member the developer must be. */
  readonly inProject: boolean
}

const rank: Readonly<Record<Role, number>> = { viewer: 0, admin: 1, owner: 2 }

// Only what can be a key or a token is looked up. A repeated header arrives as one value with a comma, which neither pattern has.
const keyPattern = /^[\w-]{1,128}$/
const bearerPattern = /^Bearer +([\w.~+/=-]{1,8192}) *$/i

/** The bearer token; `missing` where there is no header, `no bearer` where it is of another scheme, `malformed` where there is one that cannot be a token. */
const readBearer = (headers: Headers): { readonly token: string } | "missing" | "no bearer" | "malformed" => {
  const header = headers.get("authorization")
  if (header === null || header === "") return "missing"
  if (!/^Bearer\b/i.test(header)) return "no bearer"
  const token = bearerPattern.exec(header)?.[1]
  return token === undefined ? "malformed" : { token }
}

const unauthorized = (message: string) => new Unauthorized(undefined, message)

const bearerMissing = (token: string, fault: "missing" | "no bearer") =>
  unauthorized(
    fault === "missing"
      ? `The credential is missing: send the header Authorization with Bearer and ${token}.`
      : `The header Authorization must be the word Bearer, a space and ${token}.`,
  )

const identifyClient = (credentials: Credentials, withSession: boolean) =>
  Effect.fnUntraced(function* (
    headers: Headers,
    _projectId: string,
    known: Known,
    before?: Caller,
  ): Effect.fn.Return<Caller, Failure> {
    const key = headers.get("x-api-key")
    if (key === null)
      return yield* unauthorized("The client key is missing: send the project's key in the header X-Api-Key.")
    if (!keyPattern.test(key))
      return yield* unauthorized("The header X-Api-Key must be one client key, which begins with pk_.")
    const project_id = yield* credentials.projectOfKey(key)
    if (project_id === null)
      return yield* unauthorized("The client key is unknown: it is not the key of a project, or it was revoked.")
    // Also where the session is refused.
    known.facts["project_id"] = project_id
    known.caller = "app"
    if (!withSession) return { project_id }
    if (before !== undefined) return yield* credentials.liveSession(before as SessionCaller)
    const bearer = readBearer(headers)
    if (bearer === "missing" || bearer === "no bearer") return yield* bearerMissing("a user's session token", bearer)
    if (bearer === "malformed") return yield* refuseToken("session", "malformed")
    return yield* credentials.session(project_id, bearer.token)
  })

const findDeveloper = Effect.fnUntraced(function* (
  credentials: Credentials,
  headers: Headers,
): Effect.fn.Return<DeveloperCaller, Failure> {
  const bearer = readBearer(headers)
  if (bearer === "missing" || bearer === "no bearer") return yield* bearerMissing("a developer's access token", bearer)
  if (bearer === "malformed") return yield* unauthorized(refuseToken("developer_access", "malformed").message)
  return yield* credentials.developer(bearer.token)
})

const identifyDeveloper = (credentials: Credentials, least: Role | null) =>
  Effect.fnUntraced(function* (
    headers: Headers,
    projectId: string,
    known: Known,
    before?: Caller,
  ): Effect.fn.Return<Caller, Failure> {
    const developer = yield* before === undefined
      ? findDeveloper(credentials, headers)
      : credentials.liveDeveloper(before as DeveloperCaller)
    if (least === null) return developer
    // A malformed id is answered like a project of which the caller is no member [B2].
    const role = isUuid(projectId) ? yield* credentials.roleIn(projectId.toLowerCase(), developer.developer_id) : null
    if (role !== null) known.caller = "developer"
    if (role === null || rank[role] < rank[least]) return yield* refuseRole(role, least)
    return { ...developer, role }
  })

/**
 * Makes the function that identifies the caller of a route, and refuses callers without the right [B1, B2, B3]. Who is known to belong
 * to the project is noted, and the project of a client key becomes a fact of the request. Given the caller whom it has found `before`, it
 * refuses one who has lost the right since: by the end of the session, of the key or of the membership, not by that of the token.
 */
export const makeIdentify = (
  credentials: Credentials,
  { access, method, role, inProject }: AccessOptions,
): ((headers: Headers, projectId: string, known: Known, before?: Caller) => Effect.Effect<Caller, Failure>) => {
  if (access === "public" || access === "webhook") return () => Effect.undefined
  if (access !== "developer") return identifyClient(credentials, access === "client")
  const least = role ?? (method === "GET" ? "viewer" : "admin")
  return identifyDeveloper(credentials, inProject ? least : null)
}
