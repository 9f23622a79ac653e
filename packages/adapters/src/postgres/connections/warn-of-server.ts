import type { Clock } from "@hearth/core"
import type { BusyReason, DatabaseBusy } from "./database-busy.ts"

// What passes by itself, or is seen in the figures alone, is no line: it comes and goes under load.
const sentences: Partial<Record<BusyReason, string>> = {
  space: "PostgreSQL is out of space, and what is to be written is answered with 503.",
  "read-only": "PostgreSQL takes no writes, and what is to be written is answered with 503.",
}

const againMillis = 60_000

/**
 * Tells of calls that were turned away for what somebody has to mend at the server: at once, and again once a minute while it lasts,
 * however many calls and projects meet it.
 */
export const warnOfServer = (
  clock: Clock,
  onWarning: (message: string, cause: unknown) => void,
): ((busy: DatabaseBusy) => void) => {
  const warnedAt = new Map<BusyReason, number>()
  return (busy) => {
    const sentence = sentences[busy.reason]
    if (sentence === undefined) return
    const [now, at] = [clock.now().getTime(), warnedAt.get(busy.reason)]
    if (at !== undefined && Math.abs(now - at) < againMillis) return
    warnedAt.set(busy.reason, now)
    onWarning(sentence, busy)
  }
}
