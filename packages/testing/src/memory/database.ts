import { Context, Effect, Semaphore } from "effect"
import type { Shape } from "./shape.ts"

/** A map, as a statement works on it. */
export interface Layer<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  /** In the order in which they were first written. */
  values(): Iterable<Value>
}

/** The database as one transaction sees it: what is committed, with its own changes on top. */
export interface Draft {
  /** All tables of the database. */
  readonly shapes: ReadonlyArray<Shape>
  layer<Value>(name: string): Layer<Value>
  /** A new number. Rolled back transactions do not give theirs back. */
  next(): number
}

/**
 * Runs statements: in a transaction, or each in its own. What they throw is a defect. What they answer is
 * copied, so that callers never hold a stored row. Other fibers run before each, as with a real database.
 */
export interface Statements {
  query<A>(statement: (draft: Draft) => A): Effect.Effect<A>
  change<A>(statement: (draft: Draft) => A): Effect.Effect<A>
}

/** A database in memory. Its transactions run one after the other; others see what is committed. */
export interface MemoryDatabase {
  readonly outside: Statements
  transact<A, E>(work: (statements: Statements) => Effect.Effect<A, E>): Effect.Effect<A, E>
}

type Maps = Map<string, Map<string, unknown>>

/** The databases whose transaction this fiber is in. A second transaction of one of them would wait forever. */
const Held = Context.Reference<ReadonlyArray<object>>("hearth/testing/memory/database/Held", { defaultValue: () => [] })

/** An empty database of these tables. `check` is called before each statement and commit, and throws to make it die. */
export const memoryDatabase = (shapes: ReadonlyArray<Shape>, check: () => void = () => {}): MemoryDatabase => {
  const committed: Maps = new Map()
  const lock = Semaphore.makeUnsafe(1)
  let last = 0
  const begin = () => {
    const { layer, commit } = layers(committed)
    const next = () => {
      last += 1
      return last
    }
    return { draft: { shapes, layer, next } satisfies Draft, commit }
  }
  const run = <A>(body: () => A) =>
    Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => {
        check()
        return structuredClone(body())
      }),
    )
  const withLock = <A, E>(work: Effect.Effect<A, E>) =>
    Effect.flatMap(Held, (held) =>
      held.includes(lock)
        ? Effect.die(new Error("A transaction cannot wait for another one of the same database."))
        : lock.withPermit(Effect.provideService(work, Held, [...held, lock])),
    )
  const change = <A>(statement: (draft: Draft) => A) =>
    run(() => {
      const { draft, commit } = begin()
      const answer = statement(draft)
      commit()
      return answer
    })
  return {
    outside: {
      query: (statement) => run(() => statement(begin().draft)),
      change: (statement) => withLock(change(statement)),
    },
    transact: (work) => withLock(Effect.suspend(() => transaction(begin(), run, work))),
  }
}

const transaction = <A, E>(
  { draft, commit }: { readonly draft: Draft; readonly commit: () => void },
  run: <B>(body: () => B) => Effect.Effect<B>,
  work: (statements: Statements) => Effect.Effect<A, E>,
): Effect.Effect<A, E> => {
  let state: "open" | "broken" | "ended" = "open"
  const refuse = () => {
    if (state === "broken") throw new Error("The transaction was ended by a statement that failed.")
    if (state === "ended") throw new Error("The transaction has ended.")
  }
  const statement = <B>(body: (draft: Draft) => B) =>
    run(() => {
      refuse()
      try {
        return body(draft)
      } catch (thrown) {
        state = "broken"
        throw thrown
      }
    })
  const end = run(() => {
    refuse()
    commit()
  })
  return work({ query: statement, change: statement }).pipe(
    Effect.tap(() => end),
    Effect.ensuring(
      Effect.sync(() => {
        state = "ended"
      }),
    ),
  )
}

/** Layers on top of `committed`, which `commit` merges into it. */
const layers = (committed: Maps) => {
  const open = new Map<string, { readonly layer: Layer<unknown>; readonly commit: () => void }>()
  const baseOf = (name: string) => {
    const base = committed.get(name) ?? new Map<string, unknown>()
    committed.set(name, base)
    return base
  }
  return {
    layer: <Value>(name: string): Layer<Value> => {
      const found = open.get(name) ?? layerOver(baseOf(name))
      open.set(name, found)
      return found.layer as Layer<Value>
    },
    commit: () => {
      for (const { commit } of open.values()) commit()
    },
  }
}

const layerOver = (base: Map<string, unknown>) => {
  const changed = new Map<string, unknown>()
  const get = (key: string) => (changed.has(key) ? changed.get(key) : base.get(key))
  const layer: Layer<unknown> = {
    get,
    set: (key, value) => changed.set(key, value),
    delete: (key) => changed.set(key, undefined),
    values: () => {
      const keys = new Set([...base.keys(), ...changed.keys()])
      return [...keys].map(get).filter((value) => value !== undefined)
    },
  }
  const commit = () => {
    for (const [key, value] of changed) {
      if (value === undefined) base.delete(key)
      else base.set(key, value)
    }
  }
  return { layer, commit }
}
