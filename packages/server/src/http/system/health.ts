import { checkReadiness, type ReadinessCheck } from "@hearth/worker"
import { Effect } from "effect"
import { content } from "../response/respond.ts"
import type { RequestContext, Responder } from "../routing/request-context.ts"

/** `GET /health/live`: this process answers [A1]. */
export const live: Responder = (_event, context) =>
  content(context, 200, "application/json", JSON.stringify({ status: "ok" }))

/** `GET /health/ready`: a JSON line per check; 503 where one of them failed, not where one is degraded [A1]. */
export const ready =
  (checks: ReadonlyArray<ReadinessCheck>): Responder =>
  async (_event, context: RequestContext): Promise<Response> => {
    const { status, lines } = await Effect.runPromise(checkReadiness(checks))
    return content(context, status, "application/x-ndjson", lines, status === 503 ? { "retry-after": "1" } : undefined)
  }
