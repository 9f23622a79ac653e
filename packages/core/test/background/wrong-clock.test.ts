import { testWorld } from "@hearth/testing"
import { expect, it } from "vitest"

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
