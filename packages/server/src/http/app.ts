import type { Log } from "@hearth/adapters"
import { NotFound } from "@hearth/core"
import type { Refused } from "@hearth/core/refusals"
import type { ReadinessCheck } from "@hearth/worker"
import { H3 } from "h3"
import type { Registry } from "prom-client"
import { type Files, filesPattern, makeFileResponders } from "./files/files.ts"
import { openApi } from "./openapi/openapi.ts"
import { makeCompressedText } from "./pages/compressed-text.ts"
import { consolePages } from "./pages/console.ts"
import { type Development, developmentPages } from "./pages/development.ts"
import { reference } from "./pages/reference.ts"
import { makeWelcome } from "./pages/welcome.ts"
import type { Credentials } from "./request/access.ts"
import { makeAddressReader, type TrustProxy } from "./request/address.ts"
import { makeHostReader } from "./request/host.ts"
import { makeLargeBodies } from "./request/large-bodies.ts"
import { makeOriginReader } from "./request/origin.ts"
import { makeReads } from "./request/reads.ts"
import { corsHeaders, isOpenToPages, isPreflight, preflightHeaders } from "./response/cors.ts"
import { makeInternalError } from "./response/errors.ts"
import { MethodNotAllowed } from "./response/failures.ts"
import { content, empty, refuse } from "./response/respond.ts"
import { makeRouteHandler, type Service } from "./routing/handler.ts"
import { makeNearestPath } from "./routing/nearest-path.ts"
import { makeNoteRefusal } from "./routing/note-refusal.ts"
import type { Responder } from "./routing/request-context.ts"
import { fullPath, type Method, type Route, type RouteGroup } from "./routing/route.ts"
import { followStop, type LoggingOptions, unknownPath, withLogging } from "./routing/with-logging.ts"
import { live, ready } from "./system/health.ts"
import { edgeMetrics } from "./system/metrics.ts"

/** Everything that the HTTP side is made of. What is of `Development` needs no credential: it is never set in production. */
export interface AppOptions<Core> extends Development {
  readonly groups: ReadonlyArray<RouteGroup<Core>>
  readonly core: Core
  readonly access: Credentials
  readonly limiter: Service<Core>["limiter"]
  readonly databases: Service<Core>["databases"]
  readonly countWrite?: NonNullable<Service<Core>["countWrite"]>
  readonly log: Log
  /** Where requests are counted, and what `/metrics` shows. */
  readonly registry: Registry
  readonly trustProxy: TrustProxy
  /** The address under which the outside reaches the service; that of each request where left out. */
  readonly publicUrl?: string | null
  /** The files that are sent here and fetched from here; none where left out. */
  readonly files?: Files
  /** The other origins that files are sent to and fetched from; none where left out. */
  readonly fileOrigins?: ReadonlyArray<string>
  /** Aborted when the service can wait no longer for answers: those that are missing are 503. */
  readonly stopping?: AbortSignal
  /** Counts the refused calls of projects. Without it they are not counted. */
  readonly noteRefused?: (refused: Refused) => void
  /** Makes the id of a request that brings none. */
  readonly makeRequestId: () => string
  /** What `/health/ready` checks. */
  readonly checks: ReadonlyArray<ReadinessCheck>
  /** The public keys that `/.well-known/jwks.json` shows [B5]. */
  readonly keySet: () => unknown
  /** The version that the API reference names. */
  readonly version: string
}

/** What is answered under one path, by method. */
type Responders = Map<Method, Responder>

/** For operators alone: under no other spelling of the path, such as with a slash behind it, which a proxy in front may let through. */
const exactly =
  (path: string, responder: Responder): Responder =>
  (event, context) =>
    event.url.pathname === path
      ? responder(event, context)
      : refuse(context, new NotFound(undefined, `There is no such path. The nearest is ${path} (GET).`))

/** What a service has besides its API [A1]. */
const systemResponders = <Core>(options: AppOptions<Core>): Record<string, Responder> => {
  const { groups, registry, checks, keySet, version, trustProxy } = options
  return {
    "/": makeWelcome(version, options.projects !== undefined),
    "/health/live": exactly("/health/live", live),
    "/health/ready": exactly("/health/ready", ready(checks)),
    "/metrics": exactly("/metrics", async (_event, context) =>
      content(context, 200, registry.contentType, await registry.metrics()),
    ),
    "/.well-known/jwks.json": (_event, context) =>
      content(context, 200, "application/json", JSON.stringify(keySet()), {
        "cache-control": "public, max-age=300",
        ...corsHeaders,
      }),
    "/openapi.json": makeCompressedText("application/json", () => JSON.stringify(openApi(groups, version))),
    ...developmentPages(options, makeAddressReader(trustProxy)),
    ...reference(),
    ...consolePages(options.log, options.fileOrigins ?? []),
  }
}

/** Throws for routes that cannot be served. The reference names routes by method and path and clients by id, so these must be unique. */
const checkRoutes = <Core>(routes: ReadonlyArray<Route<Core>>): void => {
  const names = new Set<string>()
  const ids = new Set<string>()
  for (const { method, path, options } of routes) {
    const name = `${method} ${path}`
    if (names.has(name)) throw new Error(`There are two routes for ${name}.`)
    names.add(name)
    if (ids.has(options.id)) throw new Error(`There are two routes with the id ${options.id}.`)
    ids.add(options.id)
    const { query = {}, returns } = options
    if (returns.paged && !("limit" in query && "offset" in query)) {
      throw new Error(`The query of ${name} needs limit and offset: its answer repeats them.`)
    }
  }
}

const pathsOf = <Core>(options: AppOptions<Core>): Map<string, Responders> => {
  const { core, access, limiter, databases, countWrite, trustProxy, files, publicUrl = null } = options
  const origin = makeOriginReader(trustProxy, publicUrl)
  const readers = { address: makeAddressReader(trustProxy), host: makeHostReader(trustProxy), origin }
  const counted = countWrite === undefined ? {} : { countWrite }
  const turns = { takeTurn: makeLargeBodies(), takeReadTurn: makeReads() }
  const service = { core, access, limiter, databases, ...turns, ...readers, ...counted }
  const routes = options.groups.flatMap((group) => group.routes)
  checkRoutes(routes)
  const paths = new Map<string, Responders>()
  for (const route of routes) {
    const path = fullPath(route)
    const responders = paths.get(path) ?? new Map<Method, Responder>()
    paths.set(path, responders.set(route.method, makeRouteHandler(service, route)))
  }
  if (files !== undefined)
    paths.set(
      filesPattern,
      new Map(Object.entries(makeFileResponders(files, origin, databases)) as Iterable<[Method, Responder]>),
    )
  for (const [path, responder] of Object.entries(systemResponders(options))) {
    if (paths.has(path)) throw new Error(`${path} is a path of the service itself.`)
    paths.set(path, new Map([["GET", responder]]))
  }
  return paths
}

/** Answers a known path's other methods: a browser's preflight on the client plane, and 405 [A4]. */
const otherMethods = (path: string, methods: ReadonlyArray<string>): Responder => {
  const allow = { allow: methods.join(", ") }
  return ({ req }, context) =>
    isOpenToPages(path) && isPreflight(req.method, req.headers)
      ? empty(context, 204, preflightHeaders(methods))
      : refuse(context, new MethodNotAllowed(undefined, `This path has only ${allow.allow}.`), allow)
}

/** Answers a path that does not exist with the nearest one that does, and never with what was asked for [A4]. */
const makeNotFound = (paths: ReadonlyMap<string, Responders>): Responder => {
  // A pattern of many pages is no path to name.
  const findNearest = makeNearestPath([...paths.keys()].filter((path) => !path.endsWith("/**")))
  const list = paths.has("/docs") ? " All are at /docs." : ""
  return (_event, context) => {
    const nearest = findNearest(context.path)
    const methods = [...(paths.get(nearest ?? "")?.keys() ?? [])].join(", ")
    const near = nearest === null ? list : ` The nearest is ${nearest} (${methods}).`
    return refuse(context, new NotFound(undefined, `There is no such path.${near}`))
  }
}

/** The whole HTTP side: every route, health, metrics, keys and the reference. `app.fetch(request)` answers without a port. */
export const createApp = <Core>(options: AppOptions<Core>): H3 => {
  const { noteRefused, groups, log } = options
  const routes = groups.flatMap((group) => group.routes)
  const logging: LoggingOptions = {
    ...options,
    counter: edgeMetrics(options.registry),
    stop: followStop(options.stopping),
    ...(noteRefused === undefined ? {} : { noteRefusal: makeNoteRefusal(routes, noteRefused, log) }),
  }
  // A path that cannot be percent-decoded reaches its route, which answers it as a malformed id [A6].
  const app: H3 = new H3({
    silent: true,
    allowMalformedURL: true,
    onError: (error, event) => {
      options.log("error", "unanswered", { cause: String(error.cause ?? error) })
      const context = {
        method: event.req.method,
        path: event.url.pathname,
        requestId: options.makeRequestId(),
        headers: {},
        facts: {},
        caller: null,
        refusal: null,
        onDownloadFailed: () => {},
      }
      return refuse(context, makeInternalError())
    },
  })
  const paths = pathsOf(options)
  for (const [path, responders] of paths) {
    for (const [method, responder] of responders) app.on(method, path, withLogging(logging, method, path, responder))
    const get = responders.get("GET")
    if (get !== undefined) app.on("HEAD", path, withLogging(logging, "HEAD", path, get))
    const methods = [...responders.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    app.all(path, withLogging(logging, "other", path, otherMethods(path, methods)))
  }
  app.all("/**", withLogging(logging, "any", unknownPath, makeNotFound(paths)))
  return app
}
