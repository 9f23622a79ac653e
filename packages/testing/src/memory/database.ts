import type { RowLock } from "@hearth/core"
import { Context, Effect, Semaphore } from "effect"
import { copy } from "./copy.ts"
import { type Commits, type Layer, type Maps, makeLayers } from "./layers.ts"
import { Blocked, type Locks, makeLocks } from "./locks.ts"
import type { Shape } from "./shape.ts"

/** The database as one transaction sees it: what is committed by now, with its own changes on top. */
export interface Draft {
  /** All tables of the database. */
  readonly shapes: ReadonlyArray<Shape>
  layer<Value>(name: string): Layer<Value>
  /** A new number. Rolled back transactions do not give theirs back. */
  next(): number
  /** The number of the last commit of the database, and of the one that wrote a row. */
  readonly commits: Commits
  /**
   * Takes a lock until the transaction ends. Where another transaction holds one that conflicts, the statement is undone,
   * waits, and runs again on what is committed then.
   */
  lock(key: string, mode: RowLock): void
  /** Whether `lock` would not wait. */
  canLock(key: string, mode: RowLock): boolean
}

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
  const begin = () => makeTransaction({ committed, commits, locks, shapes, next, check })
  /** What `work` makes of the transactions of this fiber, unless it is in one of this database already. */
  const alone = <A, E>(work: (held: ReadonlyArray<object>) => Effect.Effect<A, E>) =>
    Effect.flatMap(Held, (held) =>
      held.includes(committed)
        ? Effect.die(new Error("A transaction cannot wait for another one of the same database."))
        : work(held),
    )
  const waitAndChange = <A>(statement: (draft: Draft) => A) =>
    Effect.suspend(() => {
      const { run, commit, end } = begin()
      return Effect.ensuring(run(statement, commit), Effect.sync(end))
    })
  const change = <A>(statement: (draft: Draft) => A) =>
    Effect.flatMap(Effect.yieldNow, () => {
      const { tryOnce, commit, end } = begin()
      try {
        const tried = tryOnce(statement, commit)
        if (!(tried instanceof Blocked)) return Effect.succeed(tried.answer)
      } finally {
        end()
      }
      return waitAndChange(statement)
    })
  const transact = <A, E>(work: (statements: Statements) => Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const { run, commit, end } = begin()
      const statement = <B>(body: (draft: Draft) => B) => run(body)
      return work({ query: statement, change: statement }).pipe(
        Effect.tap(() => run(commit)),
        Effect.ensuring(Effect.sync(end)),
      )
    })
  return {
    outside: { query: change, change: (statement) => alone(() => change(statement)) },
    transact: (work) => alone((held) => Effect.provideService(transact(work), Held, [...held, committed])),
  }
}

interface Parts extends Pick<Draft, "shapes" | "next"> {
  readonly committed: Maps
  readonly commits: Commits
  readonly locks: Locks
  readonly check: () => void
}

const makeTransaction = ({ committed, commits, locks, shapes, next, check }: Parts) => {
  const owner = {}
  const { commit, keep, layer, undo } = makeLayers(committed, commits)
  const draft: Draft = {
    shapes,
    layer,
    commits,
    next,
    lock: (key, mode) => locks.take(owner, key, mode),
    canLock: (key, mode) => locks.isFree(owner, key, mode),
  }
  // Statements of one transaction run one after the other, also while one of them waits.
  let turns: Semaphore.Semaphore | undefined
  let state: "open" | "broken" | "ended" = "open"

  /** Runs a statement, and `after` at once with it. Answers the lock that it has to wait for where it changed nothing. */
  const tryOnce = <A>(body: (draft: Draft) => A, after: () => void): { readonly answer: A } | Blocked => {
    if (state === "broken") throw new Error("The transaction was ended by a statement that failed.")
    if (state === "ended") throw new Error("The transaction has ended.")
    try {
      check()
      const answer = copy(body(draft))
      after()
      keep()
      return { answer }
    } catch (thrown) {
      undo()
      if (thrown instanceof Blocked) return thrown
      breakOff()
      throw thrown
    }
  }
  const attempt = <A>(body: (draft: Draft) => A, after: () => void): Effect.Effect<A> =>
    Effect.suspend(() => {
      const tried = tryOnce(body, after)
      if (!(tried instanceof Blocked)) return Effect.succeed(tried.answer)
      const waited = Effect.onError(locks.wait(owner, tried), () => Effect.sync(breakOff))
      return Effect.andThen(waited, attempt(body, after))
    })
  // How many statements wait for a lock, or for those.
  let waiting = 0
  const attemptInTurn = <A>(body: (draft: Draft) => A, after: () => void): Effect.Effect<A> => {
    waiting += 1
    const done = Effect.sync(() => {
      waiting -= 1
    })
    turns ??= Semaphore.makeUnsafe(1)
    return Effect.ensuring(turns.withPermit(attempt(body, after)), done)
  }
  const breakOff = () => {
    if (state === "open") state = "broken"
  }

  return {
    /** Runs a statement, and `after` at once with it. */
    run: <A>(body: (draft: Draft) => A, after: () => void = () => {}): Effect.Effect<A> =>
      Effect.flatMap(Effect.yieldNow, () => {
        if (waiting > 0) return attemptInTurn(body, after)
        const tried = tryOnce(body, after)
        return tried instanceof Blocked ? attemptInTurn(body, after) : Effect.succeed(tried.answer)
      }),
    tryOnce,
    commit,
    /** Releases the locks. What was not committed is lost. */
    end: () => {
      state = "ended"
      locks.release(owner)
    },
  }
}
