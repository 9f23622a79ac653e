import { join } from "node:path"
import type { Log, LogFacts } from "@hearth/adapters"
import { stopMillis, whenAborted } from "./stop-steps.ts"

/** An address without what only its owner may know: user, password, and parameters. */
const showAddress = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`
}

/** What server and worker may be connected to. */
export interface Connected {
  /** Null where the database is embedded. */
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  readonly storageUrl: string | null
  readonly dataDir: string
}

/** What a process is connected to, as facts for the log. No fact holds a credential. */
export const describeConnected = ({ databaseUrl, redisUrl, storageUrl, dataDir }: Connected): LogFacts => ({
  database: databaseUrl === null ? `embedded in ${dataDir}` : showAddress(databaseUrl),
  queue: redisUrl === null ? "in the database" : showAddress(redisUrl),
  files: storageUrl === null ? join(dataDir, "media") : showAddress(storageUrl),
})

/** The lines that say what becomes of a process. */
export interface ProcessLog {
  /** To be called when it is there for others. */
  readonly started: (facts: LogFacts) => void
}

/**
 * Logs that a process starts, has started, is stopping and has stopped, and ends it when a stop takes too long. A start that fails
 * says nothing but why, so its beginning is no more than a line for debugging.
 */
export const logProcess = (log: Log, what: "server" | "worker", version: string, stopping: AbortSignal): ProcessLog => {
  // Whoever reads the output may be gone before this process is, as the other end of a pipe. That ends nothing.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  const began = performance.now()
  const count = (since: number) => Math.round(performance.now() - since)
  const process_ = { version, pid: process.pid }
  log("debug", `${what} starting`, { ...process_, node: process.version })
  void whenAborted(stopping).then(() => {
    const since = performance.now()
    const { reason } = stopping
    log("info", `${what} stopping`, { ...process_, signal: typeof reason === "string" ? reason : undefined })
    process.once("exit", () => log("info", `${what} stopped`, { ...process_, ms: count(since) }))
    setTimeout(() => {
      log("warn", `${what} is ended, because its stop takes too long`, process_)
      process.exit(0)
    }, stopMillis)
  })
  return {
    started: (facts) =>
      log("info", `${what} started`, { ...process_, node: process.version, ms: count(began), ...facts }),
  }
}
