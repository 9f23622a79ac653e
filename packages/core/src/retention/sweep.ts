import { Effect } from "effect"
import type { ProjectTask } from "../background/work.ts"
import type { Clock } from "../ports/clock.ts"

const dayMillis = 86_400_000
// What passes within a minute is removed together, so that a project where something always passes is not always at work.
const roundMillis = 60_000
/** How many rows a sweep removes in a transaction [I0.3]. */
const piece = 1_000

/** Rows that are kept for a time. */
export interface Sweepable {
  /**
   * Removes up to `limit` rows that are older than `before`, the oldest first, and passes over those that others have locked. Answers
   * how many: `limit` where there may be more.
   */
  removeOld(before: Date, limit: number): Effect.Effect<number>
  /** The instant from which the oldest row's age counts; null without one. */
  oldest(): Effect.Effect<Date | null>
}

/** What is swept. */
export interface SweepOptions<Db> {
  /** The name of the task, unique in the service, for example `feeds.remove-old`. */
  readonly name: string
  /** For how many days a row is kept. */
  readonly keepDays: number
  readonly port: (db: Db) => Sweepable
}

/**
 * A task that removes rows of `keepDays` days and older, in pieces of 1,000 [I0.3]. It is due when the oldest row is that old,
 * at the next full minute.
 */
export const makeSweep = <Db>(
  { clock }: { readonly clock: Clock },
  { name, keepDays, port }: SweepOptions<Db>,
): ProjectTask<Db> => {
  const keptMillis = keepDays * dayMillis
  return {
    name,
    runNext: (db) =>
      Effect.map(
        // A row of that age exactly goes too: that is when the task is due.
        port(db).removeOld(new Date(clock.now().getTime() - keptMillis + 1), piece),
        (removed) => removed >= piece,
      ),
    nextRunAt: (db) =>
      Effect.map(port(db).oldest(), (oldest) =>
        oldest === null ? null : new Date(Math.ceil((oldest.getTime() + keptMillis) / roundMillis) * roundMillis),
      ),
  }
}
