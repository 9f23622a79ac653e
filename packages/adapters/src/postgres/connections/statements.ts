import { Effect } from "effect"
import type { Answer, Statement } from "./connection.ts"
import type { Connections } from "./connections.ts"
import { isRolledBack, mostTries, stillRolledBack } from "./database-busy.ts"

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
  /** Runs one statement and answers how many rows it selected or changed. */
  count(text: string, values: ReadonlyArray<unknown>): Effect.Effect<number>
}

/** Statements that are run by `run`. */
export const statementsOver = (run: (make: () => Statement) => Promise<Answer>): Statements => {
  const attempt: Statements["attempt"] = (make) => Effect.tryPromise({ try: () => run(make), catch: (error) => error })
  const rowsOf = (statement: Statement) =>
    Effect.map(Effect.orDie(attempt(() => statement)), ({ rows }) => rows as ReadonlyArray<never>)
  return {
    attempt,
    rows: (text, values = []) => rowsOf({ text, values }),
    prepared: (name, text, values) => rowsOf({ name, text, values }),
    count: (text, values) => Effect.map(Effect.orDie(attempt(() => ({ text, values }))), ({ rowCount }) => rowCount),
  }
}

/** Runs a statement, which is rolled back as a whole, again after a deadlock. */
const runRepeatedly = async (connections: Connections, database: string, statement: Statement): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    const connection = await connections.acquire(database)
    try {
      return await connection.run(statement)
    } catch (error) {
      if (!isRolledBack(error)) throw error
      if (tries === mostTries) throw stillRolledBack(database, error)
    } finally {
      connections.release(connection)
    }
  }
}

const runAlone = async (connections: Connections, database: string, make: () => Statement): Promise<Answer> => {
  const statement = make()
  const leave = await connections.enter(database, "none")
  return await runRepeatedly(connections, database, statement).finally(leave)
}

/** Statements outside of a transaction: each waits for its turn, and acquires a connection and releases it. */
export const pooledStatements = (connections: Connections, database: string): Statements =>
  statementsOver((make) => runAlone(connections, database, make))
