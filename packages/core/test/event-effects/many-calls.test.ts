import { TenantBusy, TenantUnavailable } from "@hearth/core"
import { makeRecordEffects } from "@hearth/core/event-effects"
import { Cause, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { effectsWorld, written } from "./world.ts"

describe("a call among many that ask what an event did [G9.1]", () => {
  it("takes four connections of a project at most, and handles two events at once", async () => {
    const { world, core, projectId, userId, events } = await effectsWorld()
    const [using, most] = [{ all: 0 }, { handling: 0, all: 0 }]
    let handling = 0
    const counted = <A, E>(work: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        using.all += 1
        most.all = Math.max(most.all, using.all)
        return Effect.ensuring(
          work,
          Effect.sync(() => {
            using.all -= 1
          }),
        )
      })
    const tenants: typeof world.tenants = {
      ...world.tenants,
      read: (id, work) => counted(world.tenants.read(id, work)),
      transact: (id, work, options) => counted(world.tenants.transact(id, work, options)),
    }
    const background = {
      ...core.background,
      prepare: (...given: Parameters<typeof core.background.prepare>) =>
        Effect.suspend(() => {
          handling += 1
          most.handling = Math.max(most.handling, handling)
          return Effect.ensuring(
            core.background.prepare(...given),
            Effect.sync(() => {
              handling -= 1
            }),
          )
        }),
    }
    const recording = makeRecordEffects({ ...world.ports, tenants }, background, core.limits, core.access)
    const calls = Array.from({ length: 50 }, () =>
      world.run(recording.recordOwnWithEffects(projectId, userId, { event_name: "lesson" })),
    )
    const settled = Promise.all(calls)
    // Pauses between two looks pass.
    while ((await events()) < 50) await world.advance("10 millis")
    await world.advance("1 second")
    expect((await settled).every(({ effects }) => effects !== null)).toBe(true)
    expect(most).toEqual({ handling: 2, all: 4 })
  })

  it.each([new TenantBusy(), new TenantUnavailable()])(
    "is null where the project is $_tag once the event is written",
    async (failure) => {
      const { world, core, projectId, userId, takeHold, betweenTries, events } = await effectsWorld()
      const release = await takeHold()
      const tenants: typeof world.tenants = { ...world.tenants, read: () => Effect.fail(failure) }
      const recording = makeRecordEffects({ ...world.ports, tenants }, core.background, core.limits, core.access)
      const call = recording.recordOwnWithEffects(projectId, userId, { event_name: "lesson" })
      expect(await world.run(betweenTries(Effect.yieldNow, call))).toEqual({ ...written, effects: null })
      expect(await events()).toBe(1)
      await release()
    },
  )

  it("is refused where it is not its turn within 5 seconds, and then nothing is written", async () => {
    const { world, core, projectId, userId, betweenTries, events } = await effectsWorld()
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const tenants: typeof world.tenants = {
      ...world.tenants,
      transact: (id, work, options) =>
        Effect.suspend(() => {
          begun += 1
          return Effect.andThen(
            Effect.promise(() => gate.promise),
            world.tenants.transact(id, work, options),
          )
        }),
    }
    const recording = makeRecordEffects({ ...world.ports, tenants }, core.background, core.limits, core.access)
    const track = () => {
      const call = recording.recordOwnWithEffects(projectId, userId, { event_name: "lesson" })
      return world.run(Effect.exit(betweenTries(Effect.yieldNow, call)))
    }
    const calls = Array.from({ length: 6 }, track)
    await expect.poll(() => begun).toBe(4)
    world.clock.advance("5001 millis")
    gate.resolve()
    const exits = await Promise.all(calls)
    const refused = exits.flatMap((exit) => (Exit.isFailure(exit) ? [Cause.findErrorOption(exit.cause)] : []))
    expect(refused.length).toBeGreaterThanOrEqual(2)
    for (const failure of refused) expect(failure).toMatchObject({ value: { code: "TENANT_BUSY" } })
    expect(await events()).toBe(exits.length - refused.length)
  })
})
