import { Effect } from "effect"
import type { Statements } from "./statements.ts"

const probeMillis = 2_000

/** What the clock of PostgreSQL shows, in milliseconds, as `now`. */
export const clockQuestion = "select extract(epoch from clock_timestamp())::float8 * 1000 as now"

/** Asks a database, up to two seconds each time. Nothing fails: no answer is false. */
export interface Probe {
  readonly answers: () => Effect.Effect<boolean>
  /** A replica does not, nor a server that was told to take none. */
  readonly takesWrites: () => Effect.Effect<boolean>
  /** Whether it says that there is no such project, or one that is being removed. */
  readonly lacksProject: (projectId: string) => Effect.Effect<boolean>
}

/** The probe of the database that statements go to. */
export const makeProbe = ({ attempt }: Pick<Statements, "attempt">): Probe => {
  const hasRow = (text: string, ...values: ReadonlyArray<string>) =>
    attempt(() => ({ text, values })).pipe(
      Effect.map(({ rowCount }) => rowCount > 0),
      Effect.timeout(probeMillis),
      Effect.catch(() => Effect.succeed(false)),
    )
  return {
    answers: () => hasRow("select"),
    takesWrites: () => hasRow("select where current_setting('transaction_read_only') = 'off'"),
    lacksProject: (projectId) =>
      hasRow("select where not exists (select from projects where id = $1 and is_ready)", projectId),
  }
}
