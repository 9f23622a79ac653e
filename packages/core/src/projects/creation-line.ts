import { Effect, Semaphore } from "effect"
import { TenantBusy } from "../failure.ts"

// To clone a database is work for the disk: two at once keep it busy, and more are slower together than one by one.
const running = 2
// With 0.1 s for a creation, the last in the line waits for about three seconds.
const waiting = 50
/** When a developer whose project was not created may try again. */
export const retryAfterSeconds = 5

/**
 * The line of those who create a project: in one process a few do so at once, a bounded number waits, and any more are
 * refused before they have left anything behind.
 */
export const makeCreationLine = () => {
  const turns = Semaphore.makeUnsafe(running)
  let inside = 0
  const enter = Effect.suspend(() => {
    if (inside === running + waiting) return Effect.fail(new TenantBusy({ retry_after_seconds: retryAfterSeconds }))
    inside += 1
    return Effect.void
  })
  const leave = Effect.sync(() => {
    inside -= 1
  })
  return <A, E>(create: Effect.Effect<A, E>): Effect.Effect<A, E | TenantBusy> =>
    Effect.acquireUseRelease(
      enter,
      () => turns.withPermits(1)(create),
      () => leave,
    )
}
