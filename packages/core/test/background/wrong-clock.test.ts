import { makeDispatcher, type Reaction } from "@hearth/core/background"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { poisonedWorld } from "./poisoned-world.ts"

it("goes on with the jobs of a project after a worker's clock was ahead", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  await world.advance("1 minute")
  const evaluatedAt = async () => {
    const { rows } = await world.run(world.core.segments.list(projectId, { limit: 1, offset: 0 }))
    return rows[0]?.last_evaluated_at
  }
  const right = world.clock.now()
  world.clock.advance("3 days")
  await world.runPending()
  expect(await evaluatedAt()).toEqual(world.clock.now())
  world.clock.set(right)
  await world.advance("1 minute")
  const again = await evaluatedAt()
  expect(again?.getTime()).toBeGreaterThanOrEqual(right.getTime())
  expect(again?.getTime()).toBeLessThanOrEqual(world.clock.now().getTime())
})

it("tries again what failed while a worker's clock was ahead", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.runPending()
  let isBroken = true
  const handled: Array<string> = []
  const reaction: Reaction<unknown> = {
    name: "counting",
    react: (_, events) =>
      Effect.sync(() => {
        if (isBroken) throw new Error("A fault.")
        handled.push(...events.map(({ event_name }) => event_name))
        return []
      }),
  }
  const background = makeDispatcher(world.ports, [{ reactions: [reaction] }])
  await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
  const right = world.clock.now()
  world.clock.advance("3 days")
  await world.run(background.process(projectId))
  world.clock.set(right)
  isBroken = false
  await world.run(background.process(projectId))
  expect(handled).toEqual(["lesson"])
})

it("goes on with a project that was paused before the clock was set back", async () => {
  const { world, record, process, state, waiting } = await poisonedWorld()
  const right = world.clock.now()
  world.clock.advance("3 days")
  for (let calls = 0; calls < 2; calls += 1) await record(...Array.from({ length: 60 }, (_, n) => `poison ${n}`))
  while (world.signals.of("project_paused").length === 0) await process()
  world.clock.set(right)
  state.fault = null
  for (let runs = 0; runs < 3; runs += 1) await process()
  expect(await waiting()).toBe(0)
})

it("runs a task again that failed before the clock was set back", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const right = world.clock.now()
  let tries = 0
  const runNext = () =>
    Effect.sync(() => {
      tries += 1
      if (tries === 1) throw new Error("A fault.")
      return false
    })
  const tasks = [{ name: "test.task", runNext, nextRunAt: () => Effect.succeed(right) }]
  const background = makeDispatcher(world.ports, [{ tasks }])
  world.clock.advance("3 days")
  await world.run(background.process(projectId))
  world.clock.set(right)
  await world.run(background.process(projectId))
  expect(tries).toBe(2)
})
