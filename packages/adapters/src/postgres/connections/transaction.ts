import type { TransactionOptions } from "@hearth/core"
import { Cause, Effect } from "effect"
import type { Answer } from "./answer.ts"
import { askOutcome, type Begun } from "./commit-outcome.ts"
import type { Connection, Statement } from "./connection.ts"
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

const begin = async (connections: Connections, database: string, waits: boolean): Promise<Transaction> => {
  const connection = await connections.acquire(database)
  const begun = run(connection, beginning).then(({ rows }) => rows[0] as Begun)
  let hasBegun = false
  let isHeldBack = false
  let last: Promise<unknown> = begun
  let failure: { readonly error: unknown } | null = null
  let hasEnded = false
  const fail = (error: unknown) => {
    failure ??= { error }
  }
  begun.then(() => {
    hasBegun = true
  }, fail)

  // A statement goes out before the transaction is known to have begun only where it does no harm outside of one.
  const sendInOrder = (statement: Statement): Promise<Answer> => {
    if (!hasBegun && (isHeldBack || statement.changesNothing !== true)) {
      isHeldBack = true
      return begun.then(() => connection.run(statement))
    }
    return connection.run(statement)
  }
  const send = async (make: () => Statement): Promise<Answer> => {
    // Another caller may have the connection by now.
    if (hasEnded) throw new Error("The transaction has ended.")
    if (failure !== null)
      throw new Error("The transaction has ended with an earlier failure.", { cause: failure.error })
    try {
      const answer = sendInOrder({ ...make(), inTransaction: true })
      last = answer.catch(fail)
      return await answer
    } catch (error) {
      fail(error)
      // Of statements that were sent together those after the first failure only say that there was one.
      throw (failure ?? { error }).error
    }
  }
  const end = async (how: "commit" | "rollback") => {
    hasEnded = true
    try {
      // What was held back goes before it.
      await begun.catch(() => {})
      await run(connection, how)
      await last
    } finally {
      connections.release(connection)
    }
  }
  const rollBack = () => end("rollback").catch(() => {})
  const failIfFailed = () => {
    if (failure === null) return
    throw failure.error instanceof Error
      ? failure.error
      : new Error("A statement of the transaction failed.", { cause: failure.error })
  }
  const isKnownToHaveFailed = () => failure !== null && !(failure.error instanceof ConnectionLost)
  return {
    statements: statementsOver(send, { waits, concurrency: "unbounded" }),
    rollBack,
    commit: async () => {
      await begun.catch(() => {})
      if (failure !== null) await rollBack()
      failIfFailed()
      try {
        await end("commit")
      } catch (error) {
        if (isKnownToHaveFailed() || !(error instanceof ConnectionLost)) fail(error)
        else return await askOutcome(connections, error, await begun)
      }
      // Where a statement that was not waited for has failed, the server has rolled back in place of committing.
      failIfFailed()
    },
  }
}

const runOnce = <A, E>(
  connections: Connections,
  database: string,
  work: (statements: Statements) => Effect.Effect<A, E>,
  waits: boolean,
): Effect.Effect<A, E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.promise(() => begin(connections, database, waits)),
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
  waits: boolean,
  tries = 1,
): Effect.Effect<A, E> =>
  Effect.catchCause(runOnce(connections, database, work, waits), (cause): Effect.Effect<A, E> => {
    const reason = rolledBackIn(cause)
    if (reason === undefined) return Effect.failCause(cause)
    return tries < mostTries
      ? runRepeatedly(connections, database, work, waits, tries + 1)
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
  { locks = "rows", waits = false }: TransactionOptions = {},
): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.promise(() => connections.enter(database, locks)),
    () => runRepeatedly(connections, database, work, waits),
    (leave) => Effect.sync(leave),
  )
