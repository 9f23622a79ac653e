import { HashingBusy } from "@hearth/core"
import { Effect, Semaphore } from "effect"

/**
 * Runs at most `running` pieces of work at once and lets `waiting` more wait; any more fail at once. Work that has begun
 * is not interrupted, since its thread is busy until it ends.
 */
export const limitConcurrency = (running: number, waiting: number) => {
  const turns = Semaphore.makeUnsafe(running)
  let inside = 0
  const enter = Effect.suspend(() => {
    if (inside === running + waiting) return Effect.fail(new HashingBusy())
    inside += 1
    return Effect.void
  })
  const leave = Effect.sync(() => {
    inside -= 1
  })
  return <A>(work: () => Promise<A>): Effect.Effect<A, HashingBusy> =>
    Effect.acquireUseRelease(
      enter,
      () => turns.withPermits(1)(Effect.uninterruptible(Effect.promise(work))),
      () => leave,
    )
}
