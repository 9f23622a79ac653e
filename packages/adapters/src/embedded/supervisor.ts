import { setTimeout as wait } from "node:timers/promises"
import { stillRuns } from "./process-birth.ts"
import type { Server } from "./server.ts"

/** Watches over a server until `halt`. */
export interface Supervisor {
  /** Stops watching and answers the server, which the caller then shuts down. */
  halt(): Promise<Server>
}

const watchMillis = 250
/** Gives up after this many failures with less than `calmMillis` between them. */
const patience = 5
const calmMillis = 60_000

/**
 * Restarts the server with `revive` when its process is gone, at once and then with growing pauses, and gives up after
 * several rapid failures. Clients' pools recover, because the new server listens on the same port.
 */
export const supervise = (
  first: Server,
  revive: (port: number, signal: AbortSignal) => Promise<Server>,
  report: (sentence: string) => void,
  backoffMillis = 250,
): Supervisor => {
  const halted = new AbortController()
  let server = first
  let failures = 0
  let upSince = performance.now()
  let reviving: Promise<void> | undefined

  const reviveOnce = async (): Promise<void> => {
    await wait(failures > 1 ? backoffMillis * 2 ** (failures - 1) : 0, undefined, { signal: halted.signal })
    const { pid } = server
    server = await revive(server.port, halted.signal)
    upSince = performance.now()
    report(`PostgreSQL (pid ${pid}) ended unexpectedly and was started again (pid ${server.pid}).`)
  }

  const restore = async (): Promise<void> => {
    if (performance.now() - upSince > calmMillis) failures = 0
    for (;;) {
      failures += 1
      if (failures > patience) {
        clearInterval(watch)
        return report(`PostgreSQL ended or failed ${failures} times in a row and is not started again; restart Hearth.`)
      }
      try {
        return await reviveOnce()
      } catch (error) {
        if (halted.signal.aborted) return
        report(`PostgreSQL could not be started again: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  const watch = setInterval(() => {
    if (reviving || stillRuns(server)) return
    reviving = restore().finally(() => {
      reviving = undefined
    })
  }, watchMillis).unref()

  return {
    halt: async () => {
      clearInterval(watch)
      halted.abort()
      await reviving
      return server
    },
  }
}
