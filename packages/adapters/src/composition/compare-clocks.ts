/** Reads a clock, in milliseconds. */
export type ReadClock = () => Promise<number>

/** Clocks that differ by no more than this agree. */
export const clockLimitMillis = 30_000

// An answer that took longer says too little of when it was given.
const slowMillis = 5_000

/**
 * How far this machine's clock is ahead of a database's, in milliseconds; negative where it is behind. The answer counts as given in the
 * middle between question and arrival. One that took more than five seconds is asked for once more, and the quicker of the two counts.
 */
export const measureAhead = async (readDatabase: ReadClock, now: () => number): Promise<number> => {
  const measure = async () => {
    const asked = now()
    const database = await readDatabase()
    // Negative where the clock was set back meanwhile.
    const took = now() - asked
    return { ahead: asked + took / 2 - database, took: Math.abs(took) }
  }
  const first = await measure()
  if (first.took <= slowMillis) return first.ahead
  const second = await measure()
  return second.took < first.took ? second.ahead : first.ahead
}

/** By how much clocks differ, as a sentence without its end. */
export const describeAhead = (aheadMillis: number): string =>
  `The clock of this machine is ${Math.round(Math.abs(aheadMillis) / 1_000)} s ${aheadMillis < 0 ? "behind" : "ahead of"} PostgreSQL's`
