import { Effect } from "effect"
import type { Answer, Connection, Statement } from "./connection.ts"
import type { Connections } from "./connections.ts"

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

const statementsOf = (run: (make: () => Statement) => Promise<Answer>): Statements => {
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

/** Statements outside of a transaction: each acquires a connection and releases it. */
export const pooledStatements = (connections: Connections, database: string): Statements =>
  statementsOf(async (make) => {
    const statement = make()
    const connection = await connections.acquire(database)
    try {
      return await connection.run(statement)
    } finally {
      connections.release(connection)
    }
  })

interface Transaction {
  readonly statements: Statements
  readonly commit: () => Promise<void>
  /** Never rejects: a connection that cannot roll back is closed, which rolls back too. */
  readonly rollBack: () => Promise<void>
}

const begin = async (connections: Connections, database: string): Promise<Transaction> => {
  const connection = await connections.acquire(database)
  // The driver runs one statement at a time; callers may start several at once.
  let last: Promise<unknown> = run(connection, "begin")
  let failure: { readonly error: unknown } | null = null
  let hasEnded = false
  const inTurn = (work: () => Promise<Answer>): Promise<Answer> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  const statements = statementsOf((make) => {
    // Another caller may have the connection by now.
    if (hasEnded) throw new Error("The transaction has ended.")
    return inTurn(async () => {
      if (failure !== null)
        throw new Error("The transaction has ended with an earlier failure.", { cause: failure.error })
      try {
        return await connection.run(make())
      } catch (error) {
        failure = { error }
        throw error
      }
    })
  })
  const end = async (how: "commit" | "rollback") => {
    hasEnded = true
    try {
      await inTurn(() => run(connection, how))
    } finally {
      connections.release(connection)
    }
  }
  try {
    await last
  } catch (error) {
    connections.release(connection)
    throw error
  }
  const rollBack = () => end("rollback").catch(() => {})
  return {
    statements,
    rollBack,
    commit: async () => {
      await last
      if (failure === null) return end("commit")
      await rollBack()
      throw failure.error instanceof Error
        ? failure.error
        : new Error("A statement of the transaction failed.", { cause: failure.error })
    },
  }
}

const run = (connection: Connection, text: string) => connection.run({ text, values: [] })

/**
 * Runs `work` in a transaction on one connection. What succeeds is committed; a failure, a defect or an interruption is
 * rolled back, after the statement that is running. A commit that the database does not confirm is a defect.
 */
export const inTransaction = <A, E>(
  connections: Connections,
  database: string,
  work: (statements: Statements) => Effect.Effect<A, E>,
): Effect.Effect<A, E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.promise(() => begin(connections, database)),
      (transaction) =>
        Effect.matchCauseEffect(restore(Effect.suspend(() => work(transaction.statements))), {
          onSuccess: (answer) => Effect.as(Effect.promise(transaction.commit), answer),
          onFailure: (cause) => Effect.andThen(Effect.promise(transaction.rollBack), Effect.failCause(cause)),
        }),
    ),
  )
