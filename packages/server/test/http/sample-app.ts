import {
  InvalidToken,
  NotFound,
  type RateLimiter,
  ServiceUnavailable,
  TenantBusy,
  TenantUnavailable,
  Unauthorized,
} from "@hearth/core"
import { Effect } from "effect"
import { Registry } from "prom-client"
import { type AppOptions, createApp } from "../../src/http/app.ts"
import { Busy, type Note, NoteExists, type SampleCore, sampleGroups } from "./sample-routes.ts"

export const projectId = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
export const noteId = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002"
export const clientKey = "pk_0123456789abcdefghijABCDEFGHIJ01"

const expires_at = new Date("2100-01-01T00:00:00.000Z")
const caller = { project_id: projectId, user_id: "user", session_id: "session", expires_at }
const roles = {
  "owner-token": "owner",
  "admin-token": "admin",
  "viewer-token": "viewer",
  "stranger-token": null,
} as const

/** The credentials that the sample knows. */
export const sampleAccess: AppOptions<unknown>["access"] = {
  projectOfKey: (key) => Effect.succeed(key === clientKey ? projectId : null),
  session: (project, token) => {
    if (token === "unreachable-token") return Effect.fail(new TenantUnavailable())
    return project === projectId && token === "session-token" ? Effect.succeed(caller) : Effect.fail(new InvalidToken())
  },
  liveSession: Effect.succeed,
  developer: (token) =>
    token in roles
      ? Effect.succeed({ developer_id: token, session_id: token, expires_at })
      : Effect.fail(new Unauthorized()),
  liveDeveloper: Effect.succeed,
  roleIn: (project, developer) => Effect.succeed(project === projectId ? roles[developer as keyof typeof roles] : null),
}

/** What the sample service has logged, and how often it interrupted, finished and cancelled. */
export interface SampleLog {
  readonly lines: Array<{ level: string; message: string; facts: Readonly<Record<string, unknown>> }>
  interrupted: number
  finished: number
  cancelled: number
}

const sampleCore = (log: SampleLog): SampleCore => {
  const calls: Array<unknown> = []
  const row = { id: noteId, title: "a note", at: new Date(Date.UTC(2026, 0, 2)), secret: "undeclared" }
  return {
    calls,
    note: (given) =>
      Effect.suspend(() => {
        calls.push(given)
        return (given as { title?: string } | null)?.title === "taken"
          ? Effect.fail(new NoteExists())
          : Effect.succeed(row)
      }),
    visit: (given) =>
      Effect.suspend(() => {
        calls.push(given)
        const isThere = given.title !== "missing" && given["host"] !== "nobody.test"
        return isThere ? Effect.succeed(given.title) : Effect.fail(new NotFound())
      }),
    trouble: (kind) =>
      Effect.suspend((): Effect.Effect<Note, NotFound | Busy> => {
        if (kind === "missing") return Effect.fail(new NotFound())
        if (kind === "busy") return Effect.fail(new Busy({ retry_after_seconds: 7 }))
        if (kind === "unreachable") return Effect.fail(new TenantUnavailable()) as never
        if (kind === "overrun") return Effect.orDie(Effect.fail(new TenantBusy({ retry_after_seconds: 2 })))
        if (kind === "too-slow") return Effect.die("too slow")
        if (kind === "no-control") return Effect.die(new ServiceUnavailable())
        if (kind === "malformed") return Effect.succeed({ id: 5 } as never)
        if (kind === "slow" || kind === "endless") {
          return Effect.sleep(kind === "slow" ? "300 millis" : "1 minute").pipe(
            Effect.tap(() =>
              Effect.sync(() => {
                log.finished += 1
              }),
            ),
            Effect.as(row),
            Effect.onInterrupt(() =>
              Effect.sync(() => {
                log.interrupted += 1
              }),
            ),
          )
        }
        if (kind === "thrown") throw new Error("canary-7c1f")
        return Effect.die(new Error("canary-7c1f"))
      }),
    file: (endless) =>
      Effect.sync(() => ({
        content_type: "text/csv; charset=utf-8",
        filename: 'notes "of" a/user.csv',
        body: new ReadableStream(
          {
            start: (controller) => controller.enqueue(new TextEncoder().encode("id,title\n")),
            pull: (controller) => (endless ? controller.enqueue(new Uint8Array(1024).fill(0x2c)) : controller.close()),
            cancel: () => {
              log.cancelled += 1
            },
          },
          { highWaterMark: 0 },
        ),
      })),
  }
}

/** A limiter without windows. */
const countingLimiter = (): Pick<RateLimiter, "consume"> & { readonly keys: Set<string> } => {
  const counts = new Map<string, number>()
  const keys = new Set<string>()
  return {
    keys,
    consume: (key, limits) =>
      Effect.sync(() => {
        keys.add(key)
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        const limit = limits[0]?.points ?? 0
        return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), reset_seconds: 42 }
      }),
  }
}

/** An app with the sample routes. Everything around them is in memory, for tests to read. */
export const sampleApp = (changes: Partial<AppOptions<SampleCore>> = {}) => {
  const log: SampleLog = { lines: [], interrupted: 0, finished: 0, cancelled: 0 }
  const core = sampleCore(log)
  const limiter = countingLimiter()
  let made = 0
  const app = createApp({
    groups: sampleGroups,
    core,
    access: sampleAccess,
    limiter,
    databases: { controlAnswers: Effect.succeed(true), isTimeout: (defect) => defect === "too slow" },
    log: (level, message, facts = {}) => log.lines.push({ level, message, facts }),
    registry: new Registry(),
    trustProxy: false,
    makeRequestId: () => `made-${++made}`,
    checks: [],
    keySet: () => ({ keys: [{ kty: "OKP" }] }),
    version: "1.2.3",
    ...changes,
  })
  return { app, access: sampleAccess, core, log, limiter }
}

export type SampleApp = ReturnType<typeof sampleApp>

/** The credentials of the sample service, as headers. */
export const as = {
  nobody: {},
  key: { "x-api-key": clientKey },
  user: { "x-api-key": clientKey, authorization: "Bearer session-token" },
  owner: { authorization: "Bearer owner-token" },
  admin: { authorization: "Bearer admin-token" },
  viewer: { authorization: "Bearer viewer-token" },
  stranger: { authorization: "Bearer stranger-token" },
}

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Calls the app without a port. Text is sent as JSON as it is, bytes and streams without a content type, anything else as JSON. */
export const ask = async (
  app: SampleApp["app"],
  method: string,
  path: string,
  { headers, body, signal }: AskOptions = {},
) => {
  const bare = body === undefined || body instanceof Uint8Array || body instanceof ReadableStream
  const init = {
    method,
    headers: bare ? { ...headers } : { "content-type": "application/json", ...headers },
    body: bare || typeof body === "string" ? body : JSON.stringify(body),
    duplex: "half",
    signal,
  }
  return app.fetch(new Request(`http://hearth.test${path}`, init as RequestInit))
}

/** The code of an error answer. */
export const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code
