import type { Locks } from "@hearth/core"
import { Cause, Effect } from "effect"
import { askOutcome, type Begun } from "./commit-outcome.ts"
import type { Answer, Connection } from "./connection.ts"
import { ConnectionLost } from "./connection-lost.ts"
import type { Connections } from "./connections.ts"
import { isRolledBack, mostTries, stillRolledBack } from "./database-busy.ts"
import { type Statements, statementsOver } from "./statements.ts"

interface Transaction {
  readonly statements: Statements
  /** Rejects where nothing was committed, and where that is not known. */
  readonly commit: () => Promise<void>
  /** Never rejects: a connection that cannot roll back is closed, which rolls back too. */
  readonly rollBack: () => Promise<void>
}

const run = (connection: Connection, text: string) => connection.run({ text, values: [] })

// The id is asked for in the same round trip, so that a commit whose answer is lost can be asked about.
const beginning = "begin; select pg_current_xact_id()::text as xid, now()::text as began"

const begin = async (connections: Connections, database: string): Promise<Transaction> => {
  const connection = await connections.acquire(database)
  let begun: Begun
  try {
    const { rows } = await run(connection, beginning)
    begun = rows[0] as Begun
  } catch (error) {
    connections.release(connection)
    throw error
  }
  // The driver runs one statement at a time; callers may start several at once.
  let last: Promise<unknown> = Promise.resolve()
  let failure: { readonly error: unknown } | null = null
  let hasEnded = false
  const inTurn = (work: () => Promise<Answer>): Promise<Answer> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  const statements = statementsOver((make) => {
    // Another caller may have the connection by now.
    if (hasEnded) throw new Error("The transaction has ended.")
    return inTurn(async () => {
      if (failure !== null)
        throw new Error("The transaction has ended with an earlier failure.", { cause: failure.error })
      try {
        return await connection.run({ ...make(), mayPrepare: true })
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
  const rollBack = () => end("rollback").catch(() => {})
  return {
    statements,
    rollBack,
    commit: async () => {
      await last
      if (failure === null)
        return await end("commit").catch((error: unknown) =>
          error instanceof ConnectionLost ? askOutcome(connections, error, begun) : Promise.reject(error),
        )
      await rollBack()
      throw failure.error instanceof Error
        ? failure.error
        : new Error("A statement of the transaction failed.", { cause: failure.error })
    },
  }
}

const runOnce = <A, E>(
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

const rolledBackIn = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterrupts(cause)
    ? undefined
    : cause.reasons.filter(Cause.isDieReason).find(({ defect }) => isRolledBack(defect))

const runRepeatedly = <A, E>(
  connections: Connections,
  database: string,
  work: (statements: Statements) => Effect.Effect<A, E>,
  tries = 1,
): Effect.Effect<A, E> =>
  Effect.catchCause(runOnce(connections, database, work), (cause): Effect.Effect<A, E> => {
    const reason = rolledBackIn(cause)
    if (reason === undefined) return Effect.failCause(cause)
    return tries < mostTries
      ? runRepeatedly(connections, database, work, tries + 1)
      : Effect.die(stillRolledBack(database, reason.defect))
  })

/**
 * Runs `work` in a transaction on one connection. What succeeds is committed; a failure, a defect or an interruption is
 * rolled back, after the statement that is running. What the server rolls back for a deadlock is run again, up to three times
 * in all. A commit whose answer is lost is asked about: it succeeds where it happened, is run again where it did not, and dies
 * with a `ConnectionLost` of unknown outcome where nobody answers. It waits for its turn before it takes a connection.
 */
export const inTransaction = <A, E>(
  connections: Connections,
  database: string,
  work: (statements: Statements) => Effect.Effect<A, E>,
  locks: Locks,
): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.promise(() => connections.enter(database, locks)),
    () => runRepeatedly(connections, database, work),
    (leave) => Effect.sync(leave),
  )
