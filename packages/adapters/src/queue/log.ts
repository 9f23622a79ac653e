/** Called for what a queue cannot tell its callers: lost connections, runs that died, a Redis that may evict jobs. */
export type QueueLog = (message: string, facts: Readonly<Record<string, unknown>>) => void

const REPEAT_MILLIS = 30_000
const KNOWN_MESSAGES = 100

/** Logs the same message at most every 30 seconds, because a lost connection is reported many times a second. */
export const throttle = (log: QueueLog): QueueLog => {
  const told = new Map<string, number>()
  return (message, facts) => {
    const { error } = facts
    const key = `${message} ${error}`
    const now = Date.now()
    if (now - (told.get(key) ?? 0) < REPEAT_MILLIS) return
    if (told.size >= KNOWN_MESSAGES) told.clear()
    told.set(key, now)
    log(message, facts)
  }
}

/** The message of anything thrown. Node's error for several refused addresses has an empty message, but a code. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}
