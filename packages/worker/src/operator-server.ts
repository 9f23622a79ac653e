import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import type { Registry } from "prom-client"
import { CannotListen } from "./cannot-listen.ts"
import { checkReadiness, type ReadinessCheck } from "./readiness.ts"

/** Serves the operators of a worker: /health/live, /health/ready (a JSON line per check) and /metrics. */
export const startOperatorServer = async (
  { host, port }: { readonly host: string; readonly port: number },
  registry: Registry,
  checks: ReadonlyArray<ReadinessCheck>,
) => {
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) => {
      const retry = status === 503 ? { "retry-after": "1" } : undefined
      response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...retry }).end(body)
    }
    if (request.url === "/health/live") send(200, "application/json", '{"status":"ok"}')
    else if (request.url === "/health/ready") {
      const { status, lines } = await Effect.runPromise(checkReadiness(checks))
      send(status, "application/x-ndjson; charset=utf-8", lines)
    } else if (request.url === "/metrics") send(200, registry.contentType, await registry.metrics())
    else send(404, "application/json", '{"error":{"code":"NOT_FOUND","message":"There is no such thing here."}}')
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new CannotListen({ host, port }, error)))
    server.listen(port, host, resolve)
  })
  const shown = host.includes(":") ? `[${host}]` : host
  return {
    url: `http://${shown}:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
