import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Registry } from "prom-client"

/** A check whether a dependency of the process answers. */
export interface Probe {
  readonly dependency: string
  readonly answers: () => Promise<boolean>
}

const checkReadiness = async (probes: ReadonlyArray<Probe>) => {
  const lines = await Promise.all(
    probes.map(async ({ dependency, answers }) => {
      const began = performance.now()
      const ok = await answers().catch(() => false)
      return { dependency, status: ok ? "ok" : "failed", ms: Math.round(performance.now() - began) }
    }),
  )
  return {
    ok: lines.every(({ status }) => status === "ok"),
    text: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  }
}

/** Serves the operators of a worker: /health/live, /health/ready (a JSON line per dependency) and /metrics. */
export const startOperatorServer = async (port: number, registry: Registry, probes: ReadonlyArray<Probe>) => {
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body)
    if (request.url === "/health/live") send(200, "application/json", '{"status":"ok"}')
    else if (request.url === "/health/ready") {
      const { ok, text } = await checkReadiness(probes)
      send(ok ? 200 : 503, "application/x-ndjson; charset=utf-8", text)
    } else if (request.url === "/metrics") send(200, registry.contentType, await registry.metrics())
    else send(404, "application/json", '{"error":{"code":"NOT_FOUND","message":"There is no such thing here."}}')
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
