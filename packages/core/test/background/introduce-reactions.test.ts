import type { TenantDb } from "@hearth/core"
import { type FeatureWork, makeDispatcher } from "@hearth/core/background"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

/** A world with a project in which nothing waits, and workers of two versions: the newer one has a reaction more. */
const twoVersions = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.runPending()
  // The worker of the world itself lacks the reaction too.
  world.clock.advance("5 minutes")
  const done: Array<string> = []
  const work: FeatureWork<TenantDb> = {
    reactions: [
      {
        name: "badges",
        rebuild: "badges.rebuild",
        react: (_, events) =>
          Effect.sync(() => {
            done.push(...events.map(({ event_name }) => event_name))
            return []
          }),
      },
    ],
    handlers: {
      "badges.rebuild": () =>
        Effect.sync(() => {
          done.push("rebuild")
          return null
        }),
    },
  }
  const start = (features: ReadonlyArray<FeatureWork<TenantDb>>) => {
    const background = makeDispatcher(world.ports, features)
    return {
      poll: () => world.run(background.pollDue()),
      process: () => world.run(background.process(projectId)),
    }
  }
  const record = (event_name: string) => world.run(world.core.events.recordOwn(projectId, userId, { event_name }))
  const pass = (minutes: number) => world.clock.advance(`${minutes} minutes`)
  const take = () => done.splice(0)
  return { world, projectId, record, pass, take, older: () => start([]), newer: () => start([work]) }
}

describe("a new reaction", () => {
  it("comes to every project with a rebuild, once, although the project is idle", async () => {
    const { newer, take, pass, record } = await twoVersions()
    await newer().poll()
    expect(take()).toEqual(["rebuild"])
    const [one, other] = [newer(), newer()]
    for (const worker of [one, other, one]) {
      pass(5)
      await record("later")
      await worker.poll()
      await worker.process()
    }
    expect(take()).toEqual(["later", "later", "later"])
  })

  it("waits until no worker without it was seen for two minutes", async () => {
    const { older, newer, take, pass, record } = await twoVersions()
    const [old, young] = [older(), newer()]
    await old.poll()
    await young.poll()
    await record("seen by the older worker only")
    await old.process()
    pass(2)
    await young.poll()
    expect(take()).toEqual([])
    pass(1)
    await young.poll()
    expect(take()).toEqual(["rebuild"])
    await record("after it")
    await young.process()
    expect(take()).toEqual(["after it"])
  })

  it("is rebuilt again after an older worker has handled events without it", async () => {
    const { older, newer, take, pass, record } = await twoVersions()
    const [old, young] = [older(), newer()]
    await young.poll()
    expect(take()).toEqual(["rebuild"])
    await record("handled by the older worker")
    await old.process()
    await old.poll()
    await young.poll()
    expect(take()).toEqual([])
    pass(3)
    await young.poll()
    expect(take()).toEqual(["rebuild"])
  })

  it("needs a handler for its rebuild", async () => {
    const { world } = await twoVersions()
    const reactions = [{ name: "badges", rebuild: "badges.rebuild", react: () => Effect.succeed([]) }]
    expect(() => makeDispatcher(world.ports, [{ reactions }])).toThrow("badges.rebuild")
  })
})

describe("an outbox entry of a newer worker", () => {
  it("is found by it, although an older one was told and has nothing to do", async () => {
    const { world, projectId, older, newer, take, pass } = await twoVersions()
    const [old, young] = [older(), newer()]
    await young.poll()
    take()
    await world.run(world.core.background.transact(projectId, (db) => db.outbox.add("badges.rebuild", {})))
    pass(3)
    await old.process()
    pass(3)
    await young.poll()
    expect(take()).toEqual(["rebuild"])
  })
})
