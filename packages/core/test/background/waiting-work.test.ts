import { testWorld } from "@hearth/testing"
import { expect, it } from "vitest"

it("says what waits in a project, and how late it is, until it is handled", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.runPending()
  const find = () => world.run(world.core.waitingWork.find(projectId))
  const nothing = { waiting: 0, waiting_since: null, lag_seconds: 0 }
  expect(await find()).toEqual(nothing)
  const waiting_since = world.clock.now()
  const events = [{ event_name: "one" }, { event_name: "two" }]
  await world.run(world.core.events.recordOwn(projectId, userId, { events }))
  expect(await find()).toEqual({ waiting: 1, waiting_since, lag_seconds: 0 })
  world.clock.advance(61_900)
  await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "three" }))
  expect(await find()).toEqual({ waiting: 2, waiting_since, lag_seconds: 61 })
  const other = await world.aProjectWithOwner()
  expect(await world.run(world.core.waitingWork.find(other.projectId))).toEqual(nothing)
  await world.runPending()
  expect(await find()).toEqual(nothing)
})
