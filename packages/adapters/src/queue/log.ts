/** Hears of what a queue cannot tell its callers: lost connections, runs that died, a Redis that may forget jobs. */
export type QueueLog = (message: string, facts: Readonly<Record<string, unknown>>) => void

const REPEAT_MILLIS = 30_000
const KNOWN_MESSAGES = 100

/** Tells the same thing at most every 30 seconds, because a lost connection is noticed many times a second. */
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

/** The words of anything thrown. Node's error for several refused addresses has none of its own, but a code. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}
