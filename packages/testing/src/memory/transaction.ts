import type { RowLock } from "@hearth/core"
import { Effect, Semaphore } from "effect"
import { copy } from "./copy.ts"
import { type Commits, type Layer, type Layers, type Maps, makeLayers } from "./layers.ts"
import { Blocked, type Locks } from "./locks.ts"
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

/** What the transactions of one database share. */
export interface TransactionParts extends Pick<Draft, "shapes" | "next"> {
  readonly committed: Maps
  readonly commits: Commits
  readonly locks: Locks
  readonly check: () => void
}

/** What follows a statement at once. */
type Then = "go on" | "commit"

/** One transaction. A class, because transactions are made all the time, and most need few of its methods. */
export class Transaction implements Draft {
  readonly #parts: TransactionParts
  readonly #layers: Layers
  // Statements of one transaction run one after the other, also while one of them waits.
  #turns: Semaphore.Semaphore | undefined
  // How many statements wait for a lock, or for those.
  #waiting = 0
  #state: "open" | "broken" | "ended" = "open"
  constructor(parts: TransactionParts) {
    this.#parts = parts
    this.#layers = makeLayers(parts.committed, parts.commits)
  }

  get shapes(): ReadonlyArray<Shape> {
    return this.#parts.shapes
  }
  get commits(): Commits {
    return this.#parts.commits
  }
  next(): number {
    return this.#parts.next()
  }
  layer<Value>(name: string): Layer<Value> {
    return this.#layers.layer(name)
  }
  lock(key: string, mode: RowLock): void {
    this.#parts.locks.take(this, key, mode)
  }
  canLock(key: string, mode: RowLock): boolean {
    return this.#parts.locks.isFree(this, key, mode)
  }

  /** Runs a statement. */
  run<A>(body: (draft: Draft) => A, after: Then = "go on"): Effect.Effect<A> {
    return Effect.flatMap(Effect.yieldNow, () => {
      if (this.#waiting > 0) return this.#attemptInTurn(body, after)
      const tried = this.tryOnce(body, after)
      return tried instanceof Blocked ? this.#attemptInTurn(body, after) : Effect.succeed(tried.answer)
    })
  }

  /** Runs a statement now. Answers the lock that it has to wait for where it changed nothing. */
  tryOnce<A>(body: (draft: Draft) => A, after: Then): { readonly answer: A } | Blocked {
    if (this.#state === "broken") throw new Error("The transaction was ended by a statement that failed.")
    if (this.#state === "ended") throw new Error("The transaction has ended.")
    try {
      this.#parts.check()
      const answer = copy(body(this))
      if (after === "commit") this.#layers.commit()
      this.#layers.keep()
      return { answer }
    } catch (thrown) {
      this.#layers.undo()
      if (thrown instanceof Blocked) return thrown
      this.#breakOff()
      throw thrown
    }
  }

  /** Begins again after its end, where nothing was left that was not committed. */
  reopen(): void {
    this.#state = "open"
  }

  /** Releases the locks. What was not committed is lost. */
  end(): void {
    this.#state = "ended"
    this.#parts.locks.release(this)
  }

  #attempt<A>(body: (draft: Draft) => A, after: Then): Effect.Effect<A> {
    return Effect.suspend(() => {
      const tried = this.tryOnce(body, after)
      if (!(tried instanceof Blocked)) return Effect.succeed(tried.answer)
      const waited = Effect.onError(this.#parts.locks.wait(this, tried), () => Effect.sync(() => this.#breakOff()))
      return Effect.andThen(waited, this.#attempt(body, after))
    })
  }

  #attemptInTurn<A>(body: (draft: Draft) => A, after: Then): Effect.Effect<A> {
    this.#waiting += 1
    const done = Effect.sync(() => {
      this.#waiting -= 1
    })
    this.#turns ??= Semaphore.makeUnsafe(1)
    return Effect.ensuring(this.#turns.withPermit(this.#attempt(body, after)), done)
  }

  #breakOff() {
    if (this.#state === "open") this.#state = "broken"
  }
}
