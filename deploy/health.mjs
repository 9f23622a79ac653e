// Exits with 0 where the process beside it answers that it is ready: a worker with WORKER_PORT, otherwise a server.
const { HOST = "127.0.0.1", PORT = "8080", WORKER_PORT = PORT } = process.env
const host = HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST
try {
  const { ok, status } = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${WORKER_PORT}/health/ready`, {
    signal: AbortSignal.timeout(4_000),
  })
  if (!ok) throw new Error(`It is not ready: ${status}.`)
} catch (error) {
  console.error(String(error.cause ?? error))
  process.exitCode = 1
}
