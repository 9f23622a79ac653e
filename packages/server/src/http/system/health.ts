import { Effect } from "effect"
import type { HTTPResponse } from "h3"
import { content } from "../response/respond.ts"
import type { RequestContext, Responder } from "../routing/request-context.ts"

/** Something that the service cannot work without. */
export interface Probe {
  readonly dependency: string
  /** Succeeds when the dependency answers. */
  readonly check: Effect.Effect<unknown, unknown>
  /** How long it may take; two seconds where left out. */
  readonly timeoutMillis?: number
}

const runProbe = ({ dependency, check, timeoutMillis = 2_000 }: Probe) =>
  Effect.gen(function* () {
    const started = performance.now()
    const well = yield* check.pipe(
      Effect.timeout(timeoutMillis),
      Effect.as(true),
      Effect.catchCause(() => Effect.succeed(false)),
    )
    return { dependency, status: well ? "ok" : "failed", ms: Math.round(performance.now() - started) }
  })

/** `GET /health/live`: this process answers [A1]. */
export const live: Responder = (_event, context) =>
  content(context, 200, "application/json", JSON.stringify({ status: "ok" }))

/** `GET /health/ready`: a JSON line per dependency; 503 where one of them fails [A1]. */
export const ready =
  (probes: ReadonlyArray<Probe>): Responder =>
  async (_event, context: RequestContext): Promise<HTTPResponse> => {
    const reports = await Effect.runPromise(Effect.forEach(probes, runProbe, { concurrency: "unbounded" }))
    const lines = reports.map((report) => `${JSON.stringify(report)}\n`).join("")
    const status = reports.every((report) => report.status === "ok") ? 200 : 503
    return content(context, status, "application/x-ndjson", lines, status === 503 ? { "retry-after": "1" } : undefined)
  }
