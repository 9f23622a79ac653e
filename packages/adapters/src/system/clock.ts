import type { Clock } from "@hearth/core"

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() }
