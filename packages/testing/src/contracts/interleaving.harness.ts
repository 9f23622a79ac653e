import { Effect, type Exit } from "effect"
import type { DatabaseUnderTest } from "./database-under-test.ts"

/** A transaction that stays open and takes its statements one at a time. */
export interface OpenTransaction<Db> {
  /** Runs work in it, and answers how that ends. */
  step<A, E>(work: (db: Db) => Effect.Effect<A, E>): Promise<Exit.Exit<A, E>>
  commit(): Promise<Exit.Exit<unknown, unknown>>
  rollBack(): Promise<Exit.Exit<unknown, unknown>>
  /** Interrupts it, also while a step waits. */
  interrupt(): Promise<Exit.Exit<unknown, unknown>>
}

/** Begins a transaction. */
export const beginOn = <Db>(database: DatabaseUnderTest<Db>): OpenTransaction<Db> => {
  type Step = (db: Db) => Effect.Effect<"go on" | "commit", "roll back">
  const abort = new AbortController()
  let waiting = Promise.withResolvers<Step>()
  const ended = database.attempt(
    (db) =>
      Effect.gen(function* () {
        for (;;) {
          const step = yield* Effect.promise(() => waiting.promise)
          waiting = Promise.withResolvers<Step>()
          if ((yield* step(db)) === "commit") return
        }
      }),
    abort.signal,
  )
  const end = (step: Step) => {
    waiting.resolve(step)
    return ended
  }
  return {
    step: (work) =>
      new Promise((resolve) => {
        waiting.resolve((db) =>
          Effect.exit(work(db)).pipe(
            Effect.tap((exit) => Effect.sync(() => resolve(exit))),
            Effect.as("go on" as const),
          ),
        )
      }),
    commit: () => end(() => Effect.succeed("commit")),
    rollBack: () => end(() => Effect.fail("roll back")),
    interrupt: () => {
      abort.abort()
      return ended
    },
  }
}

// Long enough for most statements that do not wait.
const statementMillis = 25

/** Whether `work` waits, as is expected: `work` that is not to wait is waited for, so that a slow machine fails no test. */
export const isWaiting = async (work: Promise<unknown>, expected = true): Promise<boolean> => {
  if (!expected) return work.then(() => false)
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(late.resolve, statementMillis, true)
  const waits = await Promise.race([work.then(() => false), late.promise])
  clearTimeout(timer)
  return waits
}

/** Runs as many transactions at once, each of which locks and stays for a moment, and answers how many were in there together at most. */
export const mostAtOnce = async <Db>(
  database: DatabaseUnderTest<Db>,
  times: number,
  lock: (db: Db, turn: number) => Effect.Effect<unknown>,
): Promise<number> => {
  let [inside, most] = [0, 0]
  const stay = Effect.gen(function* () {
    inside += 1
    most = Math.max(most, inside)
    yield* Effect.sleep("2 millis")
    inside -= 1
  })
  const turns = Array.from({ length: times }, (_, turn) =>
    database.transact((db) => Effect.andThen(lock(db, turn), stay)),
  )
  await Promise.all(turns)
  return most
}
