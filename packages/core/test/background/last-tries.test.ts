import { makeDispatcher, type Reaction } from "@hearth/core/background"
import { SimulatedFault } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { poisonedWorld } from "./poisoned-world.ts"

/** A world with a letter that was tried four times. */
const beforeLastTry = async () => {
  const found = await poisonedWorld()
  await found.record("poison")
  await found.process()
  for (const seconds of [1, 10, 60]) {
    found.world.clock.advance(`${seconds} seconds`)
    await found.process()
  }
  return found
}

describe("the last try of what was set aside", () => {
  it("has counted where it has ended the process", async () => {
    const { world, process, letters, state, handled, projectId } = await beforeLastTry()
    let transactions = 0
    const { tenants } = world.ports
    const transact: typeof tenants.transact = (id, work) => {
      transactions += 1
      return transactions === 1 ? tenants.transact(id, work) : Effect.interrupt
    }
    const dying = makeDispatcher({ ...world.ports, tenants: { ...tenants, transact } }, [{ reactions: [] }])
    world.clock.advance("10 minutes")
    await world.run(Effect.exit(Effect.exit(dying.process(projectId))))
    state.fault = null
    world.clock.advance("10 minutes")
    await process()
    expect([handled, await letters()]).toMatchObject([[], [{ status: "dead", tries: 5 }]])
    expect(world.signals.of("event_set_aside").at(-1)).toMatchObject({ reaction: "counting", status: "dead" })
  })

  it("does not count where it failed for what passes by itself: another one comes", async () => {
    const { world, process, letters, state, handled } = await beforeLastTry()
    state.fault = "passing"
    for (let times = 0; times < 3; times += 1) {
      world.clock.advance("10 minutes")
      await process()
      expect(await letters()).toMatchObject([{ status: "retrying" }])
    }
    expect(world.signals.of("event_set_aside")).toHaveLength(4)
    state.fault = null
    world.clock.advance("10 minutes")
    await process()
    expect([handled, await letters()]).toEqual([["poison"], []])
  })

  it("does not count for another process either", async () => {
    const { world, process, letters, state, handled, projectId } = await beforeLastTry()
    state.fault = "passing"
    world.clock.advance("10 minutes")
    await process()
    world.clock.advance("10 minutes")
    await world.run(makeDispatcher(world.ports, [{ reactions: [] }]).process(projectId))
    expect([handled, await letters()]).toEqual([[], []])
  })

  it("is not the first one that somebody has asked for after it", async () => {
    const { world, projectId, record, process, letters, state } = await poisonedWorld()
    await record("poison")
    await process()
    state.fault = "passing"
    world.clock.advance("1 second")
    await process()
    state.fault = "fault"
    const [{ id = "" } = {}] = await letters()
    await world.run(world.core.deadLetters.retry(projectId, id))
    await process()
    expect(await letters()).toMatchObject([{ status: "retrying", tries: 1 }])
  })

  it("is followed by new ones where somebody has asked for them before its failure was noted", async () => {
    const { world, process, letters, state, handled, projectId } = await beforeLastTry()
    const [{ id = "" } = {}] = await letters()
    const { tenants } = world.ports
    let asked = 0
    const transact: typeof tenants.transact = (project, work, options) =>
      Effect.onError(tenants.transact(project, work, options), () => {
        asked += 1
        return asked === 1 ? Effect.ignoreCause(world.core.deadLetters.retry(projectId, id)) : Effect.void
      })
    const broken: Reaction<unknown> = { name: "counting", react: () => Effect.die(new SimulatedFault("fault")) }
    const other = makeDispatcher({ ...world.ports, tenants: { ...tenants, transact } }, [{ reactions: [broken] }])
    world.clock.advance("10 minutes")
    await world.run(Effect.exit(other.process(projectId)))
    expect(await letters()).toMatchObject([{ status: "retrying", tries: 1 }])
    state.fault = null
    world.clock.advance("1 second")
    await process()
    expect([handled, await letters()]).toEqual([["poison"], []])
  })
})
