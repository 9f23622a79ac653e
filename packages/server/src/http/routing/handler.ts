import { type Failure, ServiceUnavailable, TenantBusy, TenantUnavailable, Uuid } from "@hearth/core"
import type { DeveloperCaller, SessionCaller } from "@hearth/core/access"
import { Cause, Effect, Exit, type Fiber, Option } from "effect"
import { type Caller, type Credentials, makeIdentify } from "../request/access.ts"
import type { AddressReader } from "../request/address.ts"
import { makeBodyReader } from "../request/body.ts"
import type { HostReader } from "../request/host.ts"
import { makeHeadersReader, makeParamsReader, makeQueryReader } from "../request/inputs.ts"
import { largeBytes, type TakeTurn } from "../request/large-bodies.ts"
import { leaveLoad } from "../request/load.ts"
import type { OriginReader } from "../request/origin.ts"
import type { TakeReadTurn } from "../request/reads.ts"
import { onHangUp, type RequestEvent, type ServerRequest } from "../request/request.ts"
import type { Continuation, Written } from "../response/answers.ts"
import { makeInternalError } from "../response/errors.ts"
import { empty, refuse, respond } from "../response/respond.ts"
import { type CallCounter, makeLimitCheck } from "./limits.ts"
import type { RequestContext } from "./request-context.ts"
import { type Fields, isInPlane, isRead, isUserWrite, nameFeature, paramNames, type Route } from "./route.ts"

/** What the routes need to be served. */
export interface Service<Core> {
  readonly core: Core
  readonly access: Credentials
  readonly limiter: CallCounter
  readonly databases: Databases
  /** Counts a call of a user that writes to a feature [B14, I0.1]. Without it they are not counted. */
  readonly countWrite?: (caller: SessionCaller, feature: string) => Effect.Effect<void, Failure>
  /** Has a large body wait for its turn. */
  readonly takeTurn: TakeTurn
  /** Has a read wait for its turn. */
  readonly takeReadTurn: TakeReadTurn
  readonly address: AddressReader
  readonly host: HostReader
  readonly origin: OriginReader
}

/** What an answer to a call that a database has not done needs to know of the databases. */
export interface Databases {
  /** Whether the control database answers. */
  readonly controlAnswers: Effect.Effect<boolean>
  /** Whether a defect is that of a statement that took longer than it may. */
  readonly isTimeout: (defect: unknown) => boolean
}

const nothing: Readonly<Record<string, never>> = {}

// Who sends what takes too long would only make it slower by asking again at once.
const slowSeconds = 30

// The client hung up before the answer. The status is only for the log and the metrics.
const clientGone = 499

/** The schemas of a path's parameters. A parameter without a declared schema is a uuid. */
export const paramFields = (path: string, declared: Fields = {}): Fields =>
  Object.fromEntries(paramNames(path).map((name) => [name, declared[name] ?? Uuid]))

// These two outlive the call in the streams of thousands, and so hold nothing else of it.
const rightOf = (identify: ReturnType<typeof makeIdentify>, ...caller: Parameters<typeof identify>) =>
  Effect.suspend(() => identify(...caller))

const connectionOf = ({ runtime }: ServerRequest) => {
  const response = runtime?.node?.res
  return { cut: () => void response?.destroy(), leaveLoad: () => leaveLoad(response) }
}

/** The id of the user or the developer who calls; null where neither is known. */
const senderOf = (caller: Caller): string | null => {
  const { user_id, developer_id } = (caller ?? {}) as Partial<SessionCaller & DeveloperCaller>
  return user_id ?? developer_id ?? null
}

/** Whose reads wait in one line: those of a user, or those of a developer in one project. */
const lineOf = (caller: Caller, projectId = ""): string | null => {
  const sender = senderOf(caller)
  return sender === null ? null : `${sender}/${projectId}`
}

// Whatever else is answered for it would be tried again, and what may have been written be doubled.
const isUnknown = ({ details }: TenantUnavailable) => details?.["outcome"] !== undefined

/** Everything between a request and the answer of its route, as one effect: step 4 of "The request path" in ARCHITECTURE.md. */
const makeCall = <Core>(service: Service<Core>, route: Route<Core>) => {
  const { method, path, options } = route
  const { core, access, limiter, countWrite, takeTurn, takeReadTurn } = service
  const isCounted = isUserWrite(route)
  const takesReadTurn = isRead(route)
  const isWebhook = options.access === "webhook" && "project_id" in (options.query ?? {})
  const feature = nameFeature(path)
  const fields = paramFields(path, options.params)
  const identify = makeIdentify(access, { ...options, method, inProject: "projectId" in fields })
  const pass = makeLimitCheck(limiter, `${method} ${path}`, options.limits)
  const readParams = makeParamsReader(fields, options.malformed)
  const readQuery = makeQueryReader(options.query ?? {}, options, isInPlane(route))
  const readHeaders = makeHeadersReader(options.headers)
  const reader = makeBodyReader(options)
  const { in_pieces = false, paged, types } = options.returns
  const isSentWhileMade = paged || in_pieces || types.length > 0
  const checkAgain = ({ req, context }: RequestEvent, { facts, caller }: RequestContext, before?: Caller) =>
    rightOf(identify, req.headers, context.params?.["projectId"] ?? "", { facts, caller }, before)
  const answer = Effect.fnUntraced(function* (
    event: RequestEvent,
    known: RequestContext,
  ): Effect.fn.Return<Written, Failure> {
    const { req, url, context } = event
    const { headers: added, facts } = known
    const socket = req.ip ?? ""
    const address = service.address(socket, req.headers.get("x-forwarded-for"))
    const caller = yield* identify(req.headers, context.params?.["projectId"] ?? "", known)
    if (pass !== null) yield* pass(address, added)
    if (isCounted && countWrite !== undefined) yield* countWrite(caller as SessionCaller, feature)
    const params = readParams === null ? nothing : yield* readParams(context.params)
    const query = readQuery === null ? nothing : yield* readQuery(url.search)
    // The project whose provider calls is in the query.
    if (isWebhook) facts["project_id"] = query["project_id"]
    const headers = readHeaders === null ? nothing : yield* readHeaders(req.headers)
    const bytes = reader === null ? null : yield* reader.receive(req)
    const call = {
      core,
      params,
      query,
      headers,
      body: undefined as unknown,
      caller,
      address,
      method: req.method,
      header: (name: string) => req.headers.get(name),
      // Few routes ask for these, and to find them out takes longer than all the rest.
      get host() {
        return service.host(socket, req.headers, url)
      },
      get origin() {
        return service.origin(socket, req.headers, url)
      },
    }
    const run = (body: unknown) => {
      call.body = body
      return options.run(call as never)
    }
    const work =
      reader === null || bytes === null
        ? run(undefined)
        : Effect.flatMap(
            Effect.suspend(() => reader.parse(bytes, added)),
            run,
          )
    const size = bytes?.byteLength ?? 0
    const sender = size < largeBytes ? null : senderOf(caller)
    const line = takesReadTurn ? lineOf(caller, context.params?.["projectId"]) : null
    const checkRight = checkAgain(event, known, caller)
    const readInTurn = <A>(read: Effect.Effect<A, Failure>) =>
      line === null ? read : takeReadTurn(line, read, checkRight)
    // The caller may have lost the right while others were in line before.
    const result = yield* sender === null ? readInTurn(work) : takeTurn(sender, size, Effect.andThen(checkRight, work))
    if (!isSentWhileMade) return options.returns.write(result as never, query)
    const readOn: Continuation["readOn"] = (slice) => {
      // Not with a spread: what few routes ask for stays unasked.
      const rest = Object.create(call, { query: { value: { ...query, ...slice } } })
      return Effect.runPromise(Effect.andThen(checkRight, () => readInTurn(options.run(rest as never))))
    }
    return options.returns.write(result as never, query, { checkRight, readOn, ...connectionOf(req) })
  })
  // Where the project was removed meanwhile, its caller has no right to it any more.
  return (event: RequestEvent, known: RequestContext) =>
    Effect.catch(answer(event, known), (failure) =>
      failure instanceof TenantUnavailable && !isUnknown(failure)
        ? Effect.andThen(checkAgain(event, known), Effect.fail(failure))
        : Effect.fail(failure),
    )
}

/** The expected failure of a call, or the defect that every route may answer. Null for any other defect. */
const findFailure = (cause: Cause.Cause<Failure>, { isTimeout }: Databases): Failure | null => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure)) return failure.value
  const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  // A use case that cannot fail dies of a database that is too busy.
  const isAnswer = (defect: unknown): defect is ServiceUnavailable | TenantBusy =>
    defect instanceof ServiceUnavailable || defect instanceof TenantBusy
  const answer = defects.find(isAnswer)
  if (answer !== undefined) return answer
  return defects.some(isTimeout) ? new TenantBusy({ retry_after_seconds: slowSeconds }) : null
}

/** What an answer of an unexpected kind needs to know. */
export interface ExitOptions {
  readonly databases: Databases
  /** The code of the 500. */
  readonly fault?: string
}

/** The answer to a call that has ended, however it has. */
export const answerExit = (
  context: RequestContext,
  exit: Exit.Exit<Written, Failure>,
  options: ExitOptions,
): Response | Promise<Response> =>
  Exit.isSuccess(exit) ? respond(context, exit.value) : answerCause(context, exit.cause, options)

const answerCause = async (
  context: RequestContext,
  cause: Cause.Cause<Failure>,
  { databases, fault }: ExitOptions,
): Promise<Response> => {
  if (Cause.hasInterruptsOnly(cause)) return empty(context, clientGone)
  const found = findFailure(cause, databases)
  // Without the control database nobody can be answered, although the rights of some callers are still remembered.
  const isAway = found instanceof TenantUnavailable && !isUnknown(found)
  const isServiceAway = isAway && !(await Effect.runPromise(databases.controlAnswers))
  const failure = isServiceAway ? new ServiceUnavailable() : found
  if (failure !== null) {
    context.facts["code"] = failure.code
    return refuse(context, failure)
  }
  context.facts["cause"] = Cause.pretty(cause)
  return refuse(context, makeInternalError(fault))
}

// A connection may stay for hours after the call, and would keep all of it.
interface Running {
  fiber: Fiber.Fiber<unknown, unknown> | null
}

const interruptOf = (running: Running) => () => running.fiber?.interruptUnsafe()

/**
 * Makes the handler of a route. A read whose client hangs up is interrupted. A write runs to its end, so that what
 * follows its commit is done although the client is gone.
 */
export const makeRouteHandler = <Core>(service: Service<Core>, route: Route<Core>) => {
  const call = makeCall(service, route)
  const { fault } = route.options
  const mayLeave = isRead(route)
  const options = { databases: service.databases, ...(fault === undefined ? {} : { fault }) }
  return (event: RequestEvent, context: RequestContext): Promise<Response> =>
    new Promise((resolve, reject) => {
      const fiber = Effect.runFork(call(event, context))
      const running: Running = { fiber }
      fiber.addObserver((exit) => {
        running.fiber = null
        try {
          resolve(answerExit(context, exit, options))
        } catch (cause) {
          reject(cause)
        }
      })
      if (mayLeave && fiber.pollUnsafe() === undefined) onHangUp(event.req, interruptOf(running))
    })
}
