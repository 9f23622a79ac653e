import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const lookMillis = 5_000
// A collection takes up to a fifth of a second: nobody is made to wait for it, and it must be worth it.
const idleUtilization = 0.02
const grownBytes = 32 * 2 ** 20

type Collect = (options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" }) => void

/** Collects all garbage, and gives the memory that is free then back to the operating system. */
export const giveBackMemory = (): void => {
  setFlagsFromString("--expose-gc")
  const collect: Collect = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
}

/**
 * Gives back what a start or a busy time has left, from now on, whenever the process has been idle for five seconds. V8 alone keeps
 * it: its young generation only shrinks under pressure, and a process that has just started holds twice of what it needs.
 */
export const giveBackMemoryWhenIdle = (): void => {
  let before = performance.eventLoopUtilization()
  let kept = 0
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > idleUtilization || process.memoryUsage().heapTotal < kept + grownBytes) return
    giveBackMemory()
    kept = process.memoryUsage().heapTotal
  }, lookMillis).unref()
}
