import { makeRecordEffects } from "@hearth/core/event-effects"
import { type TestWorldOptions, testWorld } from "@hearth/testing"
import { Clock, Duration, Effect } from "effect"
import { expect } from "vitest"
import { aStreakOf } from "../streaks/world.ts"

/** What the answers have in common of events that were written. */
export const written = { inserted: 1, skipped: 0, tracked: 1 }

/** A project with a user, a streak of lessons with freezes and one of something else, at noon of 1 March 2026. */
export const effectsWorld = async (options: TestWorldOptions = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.runPending()
  const { core } = world
  const streak = await world.run(core.streaks.create(projectId, aStreakOf({ freeze_enabled: true, max_freezes: 2 })))
  await world.run(core.streaks.create(projectId, aStreakOf({ qualifying_event: "other" })))
  const track = (event: object = {}, user = userId) =>
    core.events.recordOwnWithEffects(projectId, user, { event_name: "lesson", ...event })
  /** Keeps the hold until the answer is called. */
  const takeHold = async () => {
    const [taken, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = world.run(
      world.tenants.transact(
        projectId,
        (db) =>
          db.outbox
            .hold()
            .pipe(Effect.andThen(Effect.sync(taken.resolve)), Effect.andThen(Effect.promise(() => gate.promise))),
        { locks: "hold" },
      ),
    )
    await taken.promise
    return () => {
      gate.resolve()
      return holding
    }
  }
  const inBackground = makeRecordEffects(
    world.ports,
    { ...core.background, nudge: () => Effect.void },
    core.limits,
    core.access,
  )
  /** Runs a call that tries for the hold a few times: this is done in place of its pauses. */
  const betweenTries = <A, E>(pause: Effect.Effect<unknown>, call: Effect.Effect<A, E>) =>
    Effect.flatMap(Clock.Clock, (clock) =>
      Effect.provideService(call, Clock.Clock, {
        ...clock,
        sleep: (duration) => (Duration.toMillis(duration) === 10 ? Effect.asVoid(pause) : clock.sleep(duration)),
      }),
    )
  /** Begins a call whose event is left to the background, which is not told of it. Answers when it waits. */
  const beginWaiting = async (calls = 1, user = userId, event: object = {}) => {
    const release = await takeHold()
    const before = await events(user)
    const body = { event_name: "lesson", ...event }
    const begun = Array.from({ length: calls }, () =>
      world.run(betweenTries(Effect.yieldNow, inBackground.recordOwnWithEffects(projectId, user, body))),
    )
    await expect.poll(() => events(user)).toBe(before + calls)
    await release()
    return begun
  }
  const events = async (user = userId) =>
    (await world.run(core.events.ofUser(projectId, user, { limit: 1_000, offset: 0 }))).total
  return { world, core, projectId, userId, streak, track, takeHold, betweenTries, beginWaiting, inBackground, events }
}
