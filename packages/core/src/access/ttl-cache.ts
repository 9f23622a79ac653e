import { Effect } from "effect"
import type { Clock } from "../ports/clock.ts"

// Beyond this many the oldest answers are dropped, so that made-up keys cannot fill the memory.
const capacity = 50_000

/** A cache of `lookup`: each answer is used for `millis`, counted from the start of its lookup. Failures are not cached. */
export const makeTtlCache = <A, E>(clock: Clock, millis: number, lookup: (key: string) => Effect.Effect<A, E>) => {
  const answers = new Map<string, { readonly value: A; readonly asked: number }>()
  const remember = (key: string, asked: number) => (value: A) => {
    answers.delete(key)
    answers.set(key, { value, asked })
    if (answers.size > capacity) {
      for (const oldest of answers.keys()) {
        answers.delete(oldest)
        break
      }
    }
  }
  return {
    get: (key: string): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        const now = clock.now().getTime()
        const known = answers.get(key)
        // An answer from the future is not fresh: the clock was set back, perhaps by hours.
        if (known !== undefined && now >= known.asked && now < known.asked + millis) return Effect.succeed(known.value)
        return Effect.tap(lookup(key), (value) => Effect.sync(() => remember(key, now)(value)))
      }),
    clear: () => answers.clear(),
  }
}
