import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import type { Binaries } from "./binaries.ts"
import type { ClusterLocation } from "./cluster-location.ts"
import { codeOf, EmbeddedDatabaseFailure, TransientFailure } from "./failure.ts"
import { type Postmaster, pidFileOf, readPostmaster, serves, shutDown } from "./postmaster.ts"
import { birthOf, isAlive } from "./process-birth.ts"
import { failureOf, programOptions } from "./programs.ts"
import { removeStaleSockets, socketSettings } from "./socket-folder.ts"
import { verify } from "./verify.ts"

/** All that is needed to serve the cluster. */
export interface Plan {
  readonly location: ClusterLocation
  readonly binaries: Binaries
  readonly password: string
  readonly maxConnections: number
  readonly durable: boolean
  readonly logFile: string
  /** Where the server has its socket file; null for TCP alone. */
  readonly socketFolder: string | null
}

/** A PostgreSQL that serves the cluster and takes connections. */
export interface Server {
  readonly pid: number
  readonly birth: string
  readonly port: number
  /** The folder of its socket file; null where it has none. */
  readonly socketFolder: string | null
  /** Left by an earlier run, not started by us. */
  readonly adopted: boolean
}

const patienceMillis = 10_000
/** Writing back what a crash left in the log takes this long at the very most (1 GB of it). */
const recoveryMillis = 120_000
const largeLogBytes = 10_000_000

/** Failures in the log that do not pass by themselves. */
const permanent =
  /incompatible|ownership|invalid permissions|Permission denied|No space is left|outside the valid|contains errors|is empty/

const settings = ({ maxConnections, durable, socketFolder }: Plan): ReadonlyArray<string> => [
  "listen_addresses=127.0.0.1",
  ...socketSettings(socketFolder),
  `max_connections=${maxConnections}`,
  "shared_buffers=128MB",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
  // The caller reports failed statements. In this log they would put users' data into a file.
  "log_min_messages=log",
  "log_min_error_statement=panic",
  ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]),
]

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  await once(probe, "close")
  return typeof address === "object" && address ? address.port : 0
}

const openLog = (file: string) => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > largeLogBytes) renameSync(file, `${file}.1`)
  const handle = openSync(file, "a", 0o600)
  const start = statSync(file).size
  return { handle, since: () => readFileSync(file).subarray(start).toString("utf8") }
}

const serverOf = ({ pid, port, socketFolder }: Postmaster, adopted: boolean): Server => ({
  pid,
  birth: birthOf(pid) ?? "",
  port,
  socketFolder,
  adopted,
})

const whyEnded = (cluster: string, end: string | number | null | undefined, output: string): EmbeddedDatabaseFailure =>
  /lock file "postmaster.pid" is empty/.test(output)
    ? new EmbeddedDatabaseFailure(
        `${pidFileOf(cluster)} is empty, as a power cut may leave it; remove it, if no PostgreSQL runs on that folder.`,
      )
    : failureOf("server", end, output)

/**
 * Starts PostgreSQL as a process that outlives us: in a session of its own, so that Ctrl-C reaches only us and we stop
 * it in order, and with its output in a file, since a pipe would break with us or block it when full.
 */
const launch = async (plan: Plan, port: number, signal: AbortSignal): Promise<Server> => {
  const { location, binaries } = plan
  removeStaleSockets(location.cluster)
  const log = openLog(plan.logFile)
  const flags = settings(plan).flatMap((setting) => ["-c", setting])
  let end: string | number | null | undefined
  const child = spawn(binaries.postgres, ["-D", location.cluster, "-p", String(port), ...flags], {
    ...programOptions(location.account, location.home),
    detached: true,
    stdio: ["ignore", log.handle, log.handle],
  })
  closeSync(log.handle)
  child.once("exit", (code) => (end = code))
  child.once("error", (error) => (end = codeOf(error) ?? null))
  child.unref()
  const until = performance.now() + recoveryMillis
  try {
    while (end === undefined && performance.now() < until) {
      const found = readPostmaster(location.cluster)
      if (found && found.pid === child.pid && found.status === "ready") {
        await verify(found, plan.password)
        return serverOf(found, false)
      }
      await wait(5, undefined, { signal })
    }
    const failure = whyEnded(location.cluster, end, log.since())
    throw typeof end === "string" || end === 127 || permanent.test(failure.message)
      ? failure
      : new TransientFailure(failure.message)
  } catch (error) {
    if (child.pid !== undefined && end === undefined) await shutDown(child.pid, location.cluster, binaries)
    throw error
  }
}

/** Waits while a server comes up or goes down. Undefined when it is gone. */
const waitUntilReadyOrGone = async (cluster: string, signal: AbortSignal): Promise<Postmaster | undefined> => {
  const until = performance.now() + recoveryMillis
  for (;;) {
    const found = readPostmaster(cluster)
    if (!found || !isAlive(found.pid)) return undefined
    if (found.status === "ready" || performance.now() > until) return found
    await wait(20, undefined, { signal })
  }
}

/** Takes over a server that an earlier run left, if it serves this cluster with our password as we want it served. */
const adopt = async (plan: Plan, signal: AbortSignal): Promise<Server | undefined> => {
  const { cluster } = plan.location
  const named = readPostmaster(cluster)
  if (!named) return undefined
  if (!isAlive(named.pid) || serves(named.pid, cluster) === false) {
    // PostgreSQL takes any process of this id for its predecessor: a zombie, as in containers
    // without an init, or another program, as after a reboot. Left-over children of the dead server still make it refuse.
    rmSync(pidFileOf(cluster), { force: true })
    return undefined
  }
  const found = await waitUntilReadyOrGone(cluster, signal)
  if (!found) return undefined
  const actual = await verify(found, plan.password)
  const hasSocket = plan.socketFolder === null || found.socketFolder === plan.socketFolder
  if (actual.maxConnections === plan.maxConnections && actual.durable === plan.durable && hasSocket) {
    return serverOf(found, true)
  }
  await shutDown(found.pid, cluster, plan.binaries)
  return undefined
}

// As on a disk of another machine, or one that a virtual one shares with its host.
const hasNoSockets = (error: unknown) =>
  error instanceof EmbeddedDatabaseFailure && /Unix-domain socket/.test(error.message)

/**
 * Serves the cluster, with a server that still runs or a new one on the given or any free port. Transient failures are retried
 * for ten seconds: after a kill -9 the children of the old server hold its memory for a moment.
 */
export const startOrAdopt = async (plan: Plan, port: number | undefined, signal: AbortSignal): Promise<Server> => {
  const until = performance.now() + patienceMillis
  for (;;) {
    try {
      return (await adopt(plan, signal)) ?? (await launch(plan, port ?? (await freePort()), signal))
    } catch (error) {
      if (plan.socketFolder !== null && hasNoSockets(error))
        return startOrAdopt({ ...plan, socketFolder: null }, port, signal)
      if (!(error instanceof TransientFailure) || performance.now() > until) throw error
      await wait(100, undefined, { signal })
    }
  }
}
