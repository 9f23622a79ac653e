import { Context, Effect } from "effect"
import type { Commits, Maps } from "./layers.ts"
import { Blocked, makeLocks } from "./locks.ts"
import type { Shape } from "./shape.ts"
import { type Draft, Transaction } from "./transaction.ts"

export type { Draft } from "./transaction.ts"

/**
 * Runs statements: in a transaction, or each in its own. What they throw is a defect. What they answer is
 * copied, so that callers never hold a stored row. Other fibers run before each, as with a real database.
 */
export interface Statements {
  query<A>(statement: (draft: Draft) => A): Effect.Effect<A>
  change<A>(statement: (draft: Draft) => A): Effect.Effect<A>
}

/** A database in memory. Its transactions overlap; each statement sees what is committed when it runs (read committed). */
export interface MemoryDatabase {
  readonly outside: Statements
  transact<A, E>(work: (statements: Statements) => Effect.Effect<A, E>): Effect.Effect<A, E>
}

/** The databases whose transaction this fiber is in. A second transaction of one of them could wait for it forever. */
const Held = Context.Reference<ReadonlyArray<object>>("hearth/testing/memory/database/Held", { defaultValue: () => [] })

/** An empty database of these tables. `check` is called before each statement and commit, and throws to make it die. */
export const memoryDatabase = (shapes: ReadonlyArray<Shape>, check: () => void = () => {}): MemoryDatabase => {
  const committed: Maps = new Map()
  const commits: Commits = { last: 0, ofRows: new WeakMap() }
  const locks = makeLocks()
  let last = 0
  const next = () => {
    last += 1
    return last
  }
  const parts = { committed, commits, locks, shapes, next, check }
  /** What `work` makes of the transactions of this fiber, unless it is in one of this database already. */
  const alone = <A, E>(work: (held: ReadonlyArray<object>) => Effect.Effect<A, E>) =>
    Effect.flatMap(Held, (held) =>
      held.includes(committed)
        ? Effect.die(new Error("A transaction cannot wait for another one of the same database."))
        : work(held),
    )
  const waitAndChange = <A>(statement: (draft: Draft) => A) =>
    Effect.suspend(() => {
      const transaction = new Transaction(parts)
      return Effect.ensuring(
        transaction.run(statement, "commit"),
        Effect.sync(() => transaction.end()),
      )
    })
  // What is outside of transactions and need not wait begins and ends in one step, so one after the other is this transaction.
  const single = new Transaction(parts)
  const change = <A>(statement: (draft: Draft) => A) =>
    Effect.flatMap(Effect.yieldNow, () => {
      single.reopen()
      try {
        const tried = single.tryOnce(statement, "commit")
        if (!(tried instanceof Blocked)) return Effect.succeed(tried.answer)
      } finally {
        single.end()
      }
      return waitAndChange(statement)
    })
  const transact = <A, E>(work: (statements: Statements) => Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const transaction = new Transaction(parts)
      const statement = <B>(body: (draft: Draft) => B) => transaction.run(body)
      return work({ query: statement, change: statement }).pipe(
        Effect.tap(() => transaction.run(() => undefined, "commit")),
        Effect.ensuring(Effect.sync(() => transaction.end())),
      )
    })
  return {
    outside: { query: change, change: (statement) => alone(() => change(statement)) },
    transact: (work) => alone((held) => Effect.provideService(transact(work), Held, [...held, committed])),
  }
}
