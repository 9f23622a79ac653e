import type { Log } from "../system/log.ts"

const everyMillis = 60_000

/** Clocks that differ by no more than this agree. */
export const clockLimitMillis = 30_000

/** How far the clock of this machine is ahead of another, whose answer counts as given in the middle between question and arrival. */
const measureAhead = async (readOther: () => Promise<number>, now: () => number): Promise<number> => {
  const asked = now()
  const other = await readOther()
  return (asked + now()) / 2 - other
}

const describeAhead = (aheadMillis: number): string =>
  `The clock of this machine is ${Math.round(Math.abs(aheadMillis) / 1_000)} s ${aheadMillis < 0 ? "behind" : "ahead of"} PostgreSQL's`

/** What is known of the difference between this machine's clock and PostgreSQL's while a process runs. */
export interface ClockWatch {
  /** How far this machine's is ahead, in milliseconds, as last compared; negative where it is behind, NaN before the first time. */
  aheadMillis(): number
  /** Compares no more. */
  stop(): void
}

/**
 * Compares the clock of this machine with PostgreSQL's: at once, then once a minute, with a line in the log when they begin to differ and one
 * when they agree again. While PostgreSQL does not answer, what was found last holds.
 */
export const watchClock = async (
  readDatabase: () => Promise<number>,
  log: Log,
  now: () => number = Date.now,
): Promise<ClockWatch> => {
  let [ahead, agreed, isStopped] = [Number.NaN, true, false]

  const compare = async () => {
    ahead = await measureAhead(readDatabase, now)
    const agrees = Math.abs(ahead) <= clockLimitMillis
    if (isStopped || agrees === agreed) return
    agreed = agrees
    if (agrees) log("info", "The clock of this machine agrees with PostgreSQL's again")
    else
      log(
        "warn",
        `${describeAhead(ahead)}: what is planned happens at the wrong time, until both follow a time server (NTP)`,
      )
  }
  const tryToCompare = () => compare().catch(() => {})
  await tryToCompare()
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(() => {
      void tryToCompare().then(() => {
        if (!isStopped) wait()
      })
    }, everyMillis).unref()
  }
  wait()
  return {
    aheadMillis: () => ahead,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
