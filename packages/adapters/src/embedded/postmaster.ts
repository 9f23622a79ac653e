import { execFile, spawnSync } from "node:child_process"
import { readFileSync, readlinkSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import type { Binaries } from "./binaries.ts"
import { isAlive } from "./process-birth.ts"

/** What a running PostgreSQL writes about itself into its cluster's `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number
  /** NaN until it has been written. */
  readonly port: number
  /** The folder of its socket file; null where it has none, or has not written it yet. */
  readonly socketFolder: string | null
  readonly status: string
  /** Process, folder, start time and port: the lines that stay as they are while it runs. */
  readonly signature: string
}

/** The file into which a running server writes its process id and port. */
export const pidFileOf = (cluster: string): string => join(cluster, "postmaster.pid")

/** The server that the cluster's pid file names, alive or not. */
export const readPostmaster = (cluster: string): Postmaster | undefined => {
  let lines: Array<string>
  try {
    lines = readFileSync(pidFileOf(cluster), "utf8").split("\n")
  } catch {
    return undefined
  }
  const pid = Number.parseInt(lines[0] ?? "", 10)
  if (!(pid > 1)) return undefined
  const signature = lines.slice(0, 4).join("\n")
  const [port = "", socketFolder = ""] = lines.slice(3, 5)
  return {
    pid,
    port: Number.parseInt(port, 10),
    socketFolder: socketFolder === "" ? null : socketFolder,
    status: lines[7]?.trim() ?? "starting",
    signature,
  }
}

/** Whether the process is the server of the cluster. Undefined where the system does not tell. */
export const serves = (pid: number, cluster: string): boolean | undefined => {
  if (process.platform === "win32") return undefined
  if (process.platform !== "linux") {
    return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout?.includes(cluster)
  }
  try {
    // A server stays in its cluster's folder. One of ours is readable, as it runs as us or we are root.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    return false
  }
}

const endsWithin = async (pid: number, millis: number): Promise<boolean> => {
  const until = performance.now() + millis
  while (isAlive(pid)) {
    if (performance.now() > until) return false
    await wait(10)
  }
  return true
}

/** Shuts the server down: first a fast shutdown, which disconnects clients, then stronger signals if that takes too long. */
export const shutDown = async (pid: number, cluster: string, binaries: Binaries): Promise<void> => {
  if (process.platform === "win32") {
    // On Windows signals kill a process at once.
    await promisify(execFile)(binaries.pgCtl, ["stop", "-D", cluster, "-m", "fast"]).catch(() => undefined)
  }
  // Together less than the ten seconds that supervisors and containers grant; after SIGQUIT the next start recovers from the log.
  for (const [signal, patience] of [
    ["SIGINT", 6_000],
    ["SIGQUIT", 1_500],
    ["SIGKILL", 1_500],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    if (await endsWithin(pid, patience)) return
  }
}
