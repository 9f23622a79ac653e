import { Effect } from "effect"
import { expect, it } from "vitest"
import { atLeast, segmentWorld } from "./world.ts"

it("evaluates a segment that was evaluated in the future, as by a worker whose clock was ahead", async () => {
  const { world, projectId, player, create, get } = await segmentWorld()
  const { id } = await create(atLeast(10))
  await world.advance("1 minute")
  await player(20)
  const set = (last_evaluated_at: Date) =>
    world.run(world.tenants.transact(projectId, (db) => Effect.orDie(db.segments.update(id, { last_evaluated_at }))))
  const wasEvaluated = async () => (await get(id)).user_count === 1

  // Clocks may differ by so much.
  await set(new Date("2026-03-01T12:16:00.000Z"))
  await world.advance("14 minutes")
  expect(await wasEvaluated()).toBe(false)

  await set(new Date("2026-03-04T12:00:00.000Z"))
  await world.advance("15 minutes")
  expect(await wasEvaluated()).toBe(true)
  expect((await get(id)).last_evaluated_at).toEqual(world.clock.now())
})
