import { spawnSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { codeOf } from "./failure.ts"

/** The fields of `/proc/<pid>/stat` from the state on; the name before them may hold blanks and brackets. */
const statOf = (pid: number): Array<string> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

/** Whether a process with this id runs. One that has ended and waits for its parent does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs as another user.
    if (codeOf(error) === "ESRCH") return false
  }
  return !["Z", "X"].includes(statOf(pid)?.[0] ?? "")
}

/** Tells a process from a later one that got the same id: undefined when none runs, empty when the system does not say. */
export const birthOf = (pid: number): string | undefined => {
  if (!isAlive(pid)) return undefined
  if (process.platform === "linux") return statOf(pid)?.[19] ?? ""
  if (process.platform === "win32") return ""
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? ""
}

/** Whether the process of this id and birth still runs. Outside Linux, where asking for the birth is slow, the id must do. */
export const stillRuns = ({ pid, birth }: { readonly pid: number; readonly birth: string }): boolean =>
  process.platform === "linux" ? birthOf(pid) === birth : isAlive(pid)

/** Where process ids mean the same thing: this boot of this machine, and on Linux this pid namespace (containers have their own). */
export const readPidScope = (): string => {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    return hostname()
  }
}
