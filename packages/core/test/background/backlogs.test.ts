import type { AnyWorkflow } from "@hearth/core"
import { testWorld } from "@hearth/testing"
import { Effect, Latch } from "effect"
import { expect, it } from "vitest"

const gatedWorld = () => {
  const gate = Latch.makeUnsafe(true)
  const began: Array<string> = []
  const time = { pass: () => {} }
  const world = testWorld({
    startAt: "2026-03-01T12:00:00.000Z",
    ports: ({ tenants }) => ({
      tenants: {
        ...tenants,
        transact: (projectId, work, options) =>
          Effect.suspend(() => {
            began.push(projectId)
            time.pass()
            return Effect.andThen(gate.await, tenants.transact(projectId, work, options))
          }),
      },
    }),
  })
  return { world, gate, began, time }
}

const setUp = () => {
  const { world, gate, began, time } = gatedWorld()
  const { background, events } = world.core
  const workflow = background.workflows.find(({ name }) => name === "process-project") as AnyWorkflow
  const process = (project_id: string) => world.run(workflow.run({ project_id }))
  const makeBusy = async () => {
    const { projectId } = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(projectId)
    const record = () => world.run(events.record(projectId, { app_user_id: userId, event_name: "lesson" }))
    await record()
    // Its batch takes longer than a run goes on.
    time.pass = () => world.clock.advance("3 seconds")
    await process(projectId)
    time.pass = () => {}
    await record()
    return projectId
  }
  const countEntries = async (projectId: string) =>
    (await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).entries
  return { world, gate, began, process, makeBusy, countEntries }
}

it("projects with a backlog take turns, three at once, and leave workers to those that have little to do", async () => {
  const { world, gate, began, process, makeBusy, countEntries } = setUp()
  const busy = [await makeBusy(), await makeBusy(), await makeBusy(), await makeBusy()]
  const light = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(light.projectId)
  await world.run(world.core.events.record(light.projectId, { app_user_id: userId, event_name: "lesson" }))

  began.length = 0
  gate.closeUnsafe()
  const [first, second, third, fourth] = busy.map((projectId) => () => process(projectId))
  const running = [first?.(), second?.(), third?.()]
  await fourth?.()
  const theirs = process(light.projectId)
  await expect.poll(() => began).toEqual([...busy.slice(0, 3), light.projectId])
  gate.openUnsafe()
  await Promise.all([...running, theirs])

  await world.advance("1 second")
  for (const projectId of busy) expect(await countEntries(projectId)).toBe(0)
})

it("a project whose backlog was done when it was turned away keeps no others waiting", async () => {
  const { gate, began, process, makeBusy, countEntries } = setUp()
  const done = [await makeBusy(), await makeBusy(), await makeBusy()]
  const next = await makeBusy()

  began.length = 0
  gate.closeUnsafe()
  const running = done.map(process)
  await expect.poll(() => began).toHaveLength(3)
  // Each is asked for once more while it is at work.
  for (const projectId of done) await process(projectId)
  gate.openUnsafe()
  await Promise.all(running)

  await process(next)
  expect(await countEntries(next)).toBe(0)
})
