import type { FailureClass, InvalidInput, RateLimit, TenantFailure } from "@hearth/core"
import type { DeveloperCaller, SessionCaller } from "@hearth/core/access"
import type { Role } from "@hearth/core/projects"
import type { Effect, Schema } from "effect"
import type { Answer } from "../response/answers.ts"
import type { AnySchema } from "./any-schema.ts"

/** The methods that a route can have. HEAD is answered by the GET route. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** Where a path begins. `root`: at the root of the host, for short links and for paths of other standards, such as `/.well-known/…`. */
export type Base = "/v1" | "root"

/**
 * The credential that a route asks for [B1, B2]. `public`: none. `client-key`: an `X-Api-Key`. `client`: that and a session token.
 * `developer`: a developer's access token, and membership where the path has `:projectId`. `webhook`: none; the use case checks a signature.
 */
export type AccessKind = "public" | "client-key" | "client" | "developer" | "webhook"

/** Schemas by name: of path parameters, or of the keys of a query. A query key may be `Schema.optionalKey(…)`. */
export type Fields = Readonly<Record<string, AnySchema>>

/** The bytes of a body, for routes that check a signature before they parse it. */
export interface RawBody {
  readonly bytes: Uint8Array
  /** The JSON value; undefined where the bytes are no JSON within the limits of [A9]. Texts may be mended, and are refused otherwise. */
  readonly json: (badTexts?: "mended") => unknown
}

/** How a body is decoded: by a schema; `"json"`: any JSON value, passed on unchanged; `"raw"`: the bytes, not parsed. */
export type BodyRule = AnySchema | "json" | "raw"

/** The names of the parameters in a path pattern. */
export type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Decoded path parameters. One that the route declares no schema for is a uuid. */
export type ParamsOf<Path extends string, Declared> = {
  readonly [Name in ParamNames<Path>]: Name extends keyof Declared
    ? Declared[Name] extends AnySchema
      ? Declared[Name]["Type"]
      : string
    : string
}

/** The decoded body that `run` is given. */
export type BodyOf<Rule> = Rule extends AnySchema
  ? Rule["Type"]
  : Rule extends "json"
    ? unknown
    : Rule extends "raw"
      ? RawBody
      : undefined

/** The caller, by the route's access. */
export type CallerOf<Access, Path extends string> = Access extends "client"
  ? SessionCaller
  : Access extends "client-key"
    ? { readonly project_id: string }
    : Access extends "developer"
      ? "projectId" extends ParamNames<Path>
        ? DeveloperCaller & { readonly role: Role }
        : DeveloperCaller
      : undefined

/** What `run` is given: the decoded inputs that the route declares, and the caller. */
export interface Call<Core, Params, Query, Headers, Body, Caller> {
  readonly core: Core
  readonly params: Params
  readonly query: Query
  /** The headers that the route declares. */
  readonly headers: Headers
  readonly body: Body
  readonly caller: Caller
  /** `HEAD` where the client wants only the headers of a GET. */
  readonly method: Method | "HEAD"
  /** The host of the request, lower case and without a port; empty where there is none. It may be any host: the use case checks it. */
  readonly host: string
  /** Where the caller reaches the service, for addresses in answers: `https://api.example`, without a slash at the end. */
  readonly origin: string
  /** The client's address [B13]. */
  readonly address: string
  /** Any request header, for the few routes that are about one they cannot refuse (`Origin`, `User-Agent`, a signature). */
  readonly header: (name: string) => string | null
}

/** What a route says about itself. Everything else (mounting, refusals, OpenAPI, the generated tests) follows from it. */
export interface RouteOptions<
  Core,
  Path extends string,
  Access,
  Params,
  Query extends Fields,
  Headers extends Fields,
  Body,
  Errors,
  Result,
> {
  /** The operation's id in the OpenAPI document, by which generated clients name it: `streaks.create`, `client.events.record`. It never changes. */
  readonly id: string
  /** One line for the reference, in the third person: "Defines a streak". */
  readonly summary: string
  /** What a newcomer has to know beside that, in Markdown: when to call it, what it spares, what may surprise. */
  readonly description: string
  /** `/v1` where left out. */
  readonly base?: Base
  readonly access: Access
  /** The least role of a member. Without it any member may GET, and admins and owners do the rest [B3]. */
  readonly role?: Role
  /** Schemas of path parameters that are not uuids. */
  readonly params?: Params
  /** Schemas of the keys of the query, each decoding from a string: `{ ...paging(), search: Schema.optionalKey(Text) }`. */
  readonly query?: Query
  /** Schemas of headers by their names, as in `{ "Idempotency-Key": Schema.optionalKey(IdempotencyKey) }`. A bad one is `InvalidInput`. */
  readonly headers?: Headers
  /** Failures for malformed path parameters and query keys, by name. Else a bad parameter is `NotFound`, a bad key `InvalidInput`, and `limit` and `offset` have their own [A6, A8]. */
  readonly malformed?: Readonly<Record<string, FailureClass>>
  /** Failures for query keys that must be there and are not, by name. Else such a key is answered as a bad one. */
  readonly missing?: Readonly<Record<string, FailureClass>>
  /** No body where left out: whatever is sent is ignored. */
  readonly body?: Body
  /** What a `"json"` or `"raw"` body looks like, for the reference only. */
  readonly bodyShape?: AnySchema
  /** An empty body is read as `{}`. Without this it is a bad body. */
  readonly optionalBody?: boolean
  /** The most bytes a body may have; 256 KB where left out [A9]. */
  readonly bodyLimit?: number
  /** The failure of a bad body; `InvalidInput` where left out [A5]. */
  readonly invalid?: FailureClass
  /** The failures that `run` may have, beside those of the project's database and `InvalidInput`. The compiler checks it. */
  readonly errors?: Errors
  /** Whether a GET of a user writes all the same: then it counts as a call that does [I0.1]. */
  readonly writes?: boolean
  /** Limits per client address. */
  readonly limits?: ReadonlyArray<RateLimit>
  readonly returns: Answer<Result>
  /** The code of the 500 for an unexpected fault; `INTERNAL_ERROR` where left out [A3]. */
  readonly fault?: string
  /** One expression that calls one use case. */
  readonly run: (
    call: Call<
      Core,
      ParamsOf<Path, Params>,
      Schema.Struct<Query>["Type"],
      Schema.Struct<Headers>["Type"],
      BodyOf<Body>,
      CallerOf<Access, Path>
    >,
  ) => Effect.Effect<NoInfer<Result>, ErrorsOf<Errors> | TenantFailure | InvalidInput>
}

type ErrorsOf<Errors> = Errors extends ReadonlyArray<FailureClass> ? InstanceType<Errors[number]> : never

/** A route without the types of its inputs. */
export interface Route<Core> {
  readonly method: Method
  readonly path: string
  readonly options: RouteOptions<
    Core,
    string,
    AccessKind,
    Fields,
    Fields,
    Fields,
    BodyRule | undefined,
    ReadonlyArray<FailureClass>,
    unknown
  >
}

/** The routes of a feature, which have one section in the reference. */
export interface RouteGroup<Core> {
  /** The heading in `docs/api.md`, and the tag in the OpenAPI document. */
  readonly title: string
  /** What the feature is for, in a sentence or two of Markdown. */
  readonly description: string
  readonly routes: ReadonlyArray<Route<Core>>
}

/** The path of a route from the root of the host. */
export const fullPath = <Core>({ path, options: { base = "/v1" } }: Route<Core>): string =>
  base === "root" ? path : `${base}${path}`

/** Whether a route is a user's call that writes [B14, I0.1]. */
export const isUserWrite = <Core>({ method, options }: Route<Core>): boolean =>
  options.access === "client" && (method !== "GET" || options.writes === true)

/** Whether a route only reads. Those that do and have a body are POSTs that viewers may call. */
export const isRead = <Core>({ method, options }: Route<Core>): boolean => method === "GET" || options.role === "viewer"

/** Whether a route belongs to one of the planes that apps and developers call: there parameters that a route does not have are refused. */
export const isInPlane = <Core>({ path, options: { base } }: Route<Core>): boolean =>
  base !== "root" && /^\/(?:client|admin|auth)\//.test(`${path}/`)

/** The feature that a path belongs to: its first segment after the plane, as `groups` of `/client/groups/:groupId` [I0.1]. */
export const nameFeature = (path: string): string => path.split("/")[2] ?? ""

/** The path parameters of a pattern, in order. */
export const paramNames = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)

/**
 * Makes the function that defines routes over a core: `const route = defineRoutes<Engagement>()`, then
 * `route("POST", "/admin/projects/:projectId/streaks", { … })`. Paths are relative to the base.
 */
export const defineRoutes =
  <Core>() =>
  <
    const Path extends string,
    const Access extends AccessKind,
    Result,
    const Params extends Fields = Record<never, never>,
    Query extends Fields = Record<never, never>,
    Headers extends Fields = Record<never, never>,
    Body extends BodyRule | undefined = undefined,
    const Errors extends ReadonlyArray<FailureClass> = readonly [],
  >(
    method: Method,
    path: Path,
    options: RouteOptions<Core, Path, Access, Params, Query, Headers, Body, Errors, Result>,
  ): Route<Core> =>
    ({ method, path, options }) as unknown as Route<Core>
