import { Effect } from "effect"
import type { Answer } from "./answer.ts"
import type { PlainValue, Statement } from "./connection.ts"
import { AnswerLost, ConnectionLost } from "./connection-lost.ts"
import type { Connections } from "./connections.ts"
import { isPlanChange, isRolledBack, isUnprepared, mostTries, stillRolledBack } from "./database-busy.ts"
import { askInstants, shareInstants } from "./shared-instants.ts"
import { shareLookUps } from "./shared-look-ups.ts"
import { untilAnswered } from "./until-answered.ts"

/**
 * Runs statements: each on any connection of a database, or all on that of a transaction. There a statement that
 * fails ends the transaction, even if the caller catches the failure, and a statement after its end fails.
 */
export interface Statements {
  /** Runs the statement that `make` answers. Fails with what `make` threw or with the error of the database. */
  attempt(make: () => Statement): Effect.Effect<Answer, unknown>
  /** The rows of one statement. Every error is a defect. The values are bound to `$1`, `$2` and so on. */
  rows<Row>(text: string, values?: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>>
  /** Like `rows`, for a statement that is run often and therefore prepared under a name. */
  prepared<Row>(name: string, text: string, values: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>>
  /**
   * Like `prepared`, for a statement that reads a few rows by their key. Outside of a transaction those of several callers are sent
   * together over one connection.
   */
  lookUp<Row>(name: string, text: string, values: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>>
  /**
   * The one instant that a query without values answers, if any: which of them is due next. Outside of a transaction those of
   * several callers are asked for in one statement.
   */
  instant(text: string): Effect.Effect<Date | null>
  /**
   * Runs a statement whose answer nobody needs, to write rows that are locked. In a transaction it is not waited for, so that
   * it takes no round trip: where it fails, the next statement or the commit does. Prepared under a name where there is one.
   */
  send(text: string, values: ReadonlyArray<PlainValue>, name?: string): Effect.Effect<void>
  /** Like `prepared`, for a statement that only reads and locks. As the first of a transaction it is sent with its beginning. */
  lock<Row>(name: string, text: string, values: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>>
  /**
   * How many statements that do not need each other's answers are run at once: a transaction sends them in one round trip, in the
   * order of the calls. Outside of one each would take a connection.
   */
  readonly concurrency: 1 | "unbounded"
  /** The database, where each statement commits by itself, so that callers may share one; null in a transaction. */
  readonly autocommit: { readonly database: string } | null
  /** Runs one statement and answers how many rows it selected or changed. */
  count(text: string, values: ReadonlyArray<unknown>): Effect.Effect<number>
  /**
   * Runs `write`, which commits by itself. When its answer is lost, it is not known whether it happened: then `again` does
   * the same once more, on other connections until one answers, and its answer counts. It must wait for the end of `write` and
   * do nothing that was done already. Dies with a `ConnectionLost` of unknown outcome where none answers in time. In a
   * transaction nothing is done again: whether that was committed is asked when it is.
   */
  confirm<A, E = never>(write: Effect.Effect<A, E>, again: Effect.Effect<A, E>): Effect.Effect<A, E>
  /**
   * Lets each further statement of the transaction take so long, in milliseconds, and wait so long for a lock where that is given: the
   * server ends it then, and its answer is waited for until then. Dies outside of a transaction.
   */
  allow(millis: number, lockMillis?: number): Effect.Effect<void>
}

/** How statements are run. */
export interface StatementOptions {
  readonly confirm?: Statements["confirm"]
  /** Whether `send` waits for the answer. */
  readonly waits: boolean
  readonly concurrency: Statements["concurrency"]
  readonly autocommit?: Statements["autocommit"]
  /** Runs a statement of `lookUp`; `run` where left out. */
  readonly lookUp?: (statement: Statement) => Promise<Answer>
  /** Answers an instant; by a statement of its own where left out. */
  readonly instant?: (text: string) => Promise<Date | null>
}

const setTimeouts = `
  select set_config('statement_timeout', $1, true), set_config('lock_timeout', coalesce($2, current_setting('lock_timeout')), true)`

/** Statements that are run by `runAsUsual`. */
export const statementsOver = (
  runAsUsual: (make: () => Statement) => Promise<Answer>,
  { confirm = (write) => write, waits, concurrency, autocommit = null, ...own }: StatementOptions,
): Statements => {
  let allowed: { readonly millis: number } | undefined
  const run: typeof runAsUsual = (make) => runAsUsual(allowed === undefined ? make : () => ({ ...make(), ...allowed }))
  const {
    lookUp = (statement) => run(() => statement),
    instant = (text) => askInstants((statement) => run(() => statement), [text]).then(([at]) => at ?? null),
  } = own
  const attempt: Statements["attempt"] = (make) => Effect.tryPromise({ try: () => run(make), catch: (error) => error })
  const rowsOf = (statement: Statement) =>
    Effect.map(Effect.orDie(attempt(() => statement)), ({ rows }) => rows as ReadonlyArray<never>)
  return {
    attempt,
    confirm,
    send: (text, values, name) =>
      waits
        ? Effect.asVoid(rowsOf({ text, values, ...(name !== undefined && { name }) }))
        : Effect.sync(() => {
            // The transaction remembers the failure.
            run(() => ({ text, values, ...(name !== undefined && { name }) })).catch(() => {})
          }),
    concurrency,
    autocommit,
    lock: (name, text, values) => rowsOf({ name, text, values, changesNothing: true }),
    rows: (text, values = []) => rowsOf({ text, values }),
    prepared: (name, text, values) => rowsOf({ name, text, values }),
    lookUp: (name, text, values) =>
      Effect.promise(() => lookUp({ name, text, values }).then(({ rows }) => rows as ReadonlyArray<never>)),
    instant: (text) => Effect.promise(() => instant(text)),
    count: (text, values) => Effect.map(Effect.orDie(attempt(() => ({ text, values }))), ({ rowCount }) => rowCount),
    allow: Effect.fnUntraced(function* (millis, lockMillis) {
      if (autocommit !== null) return yield* Effect.die(new Error("Time is allowed in a transaction only."))
      yield* rowsOf({
        text: setTimeouts,
        values: [String(millis), lockMillis === undefined ? null : String(lockMillis)],
      })
      allowed = { millis }
    }),
  }
}

/** Runs a statement, which is rolled back as a whole, again after a deadlock. */
const runRepeatedly = async (connections: Connections, database: string, statement: Statement): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    const connection = await connections.acquire(database)
    try {
      return await connection.run(statement)
    } catch (error) {
      if (error instanceof ConnectionLost) throw new AnswerLost(error)
      if (!isRolledBack(error)) throw error
      if (tries === mostTries) throw stillRolledBack(database, error)
      // The idle connections have prepared it before the migration too.
      if (isPlanChange(error)) void connections.forget(database)
    } finally {
      connections.release(connection)
    }
  }
}

const runAlone = async (connections: Connections, database: string, make: () => Statement): Promise<Answer> => {
  const statement = make()
  const leave = await connections.enter(database, statement.locks ?? "none")
  return await runRepeatedly(connections, database, statement).finally(leave)
}

/** Runs look-ups together, and alone those that failed for the sake of others or of the connection. */
const runTogether = (connections: Connections, database: string) => {
  const send = shareLookUps(connections, database)
  return (statement: Statement): Promise<Answer> =>
    send(statement).catch((error) => {
      if (!isRolledBack(error) && !isUnprepared(error)) throw error
      return runAlone(connections, database, () => statement)
    })
}

/** Statements outside of a transaction: each waits for its turn, and acquires a connection and releases it. */
export const pooledStatements = (connections: Connections, database: string): Statements =>
  statementsOver((make) => runAlone(connections, database, make), {
    waits: true,
    concurrency: 1,
    autocommit: { database },
    lookUp: runTogether(connections, database),
    instant: shareInstants((statement) => runAlone(connections, database, () => statement)),
    confirm: (write, again) =>
      Effect.catchDefect(write, (defect) =>
        defect instanceof AnswerLost
          ? Effect.flatMap(
              Effect.promise(() => untilAnswered(connections, defect, () => Effect.runPromise(Effect.result(again)))),
              Effect.fromResult,
            )
          : Effect.die(defect),
      ),
  })
