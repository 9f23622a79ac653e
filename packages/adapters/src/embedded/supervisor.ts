import { setTimeout as wait } from "node:timers/promises"
import { stillRuns } from "./process-birth.ts"
import type { Server } from "./server.ts"

/** Watches over a server until `halt`. */
export interface Supervisor {
  /** Stops watching and answers the server, which the caller then shuts down. */
  halt(): Promise<Server>
}

const watchMillis = 250
// After this many failures with less than `calmMillis` between them, the pauses stay as long as they are.
const growingPauses = 5
const calmMillis = 60_000
const saidEvery = 20

/**
 * Restarts the server with `revive` when its process is gone, at once and then with pauses that grow to a few seconds, for as long as
 * it takes: a disk that is full now has room later. Clients' pools recover, because the new server listens on the same port.
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
  let said = ""
  let upSince = performance.now()
  let reviving: Promise<void> | undefined

  const reviveOnce = async (): Promise<void> => {
    const pause = failures > 1 ? backoffMillis * 2 ** (Math.min(failures, growingPauses) - 1) : 0
    await wait(pause, undefined, { signal: halted.signal })
    const { pid } = server
    server = await revive(server.port, halted.signal)
    upSince = performance.now()
    said = ""
    report(`PostgreSQL (pid ${pid}) ended unexpectedly and was started again (pid ${server.pid}).`)
  }

  const restore = async (): Promise<void> => {
    if (performance.now() - upSince > calmMillis) failures = 0
    for (;;) {
      failures += 1
      try {
        return await reviveOnce()
      } catch (error) {
        if (halted.signal.aborted) return
        const sentence = `PostgreSQL could not be started again: ${error instanceof Error ? error.message : String(error)}`
        // Said anew where it has become another one, or takes long.
        if (sentence !== said || failures % saidEvery === 0) report(sentence)
        said = sentence
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
