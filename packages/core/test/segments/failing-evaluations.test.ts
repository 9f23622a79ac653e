import { type Ports, TenantBusy } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { atLeast, recordingWorld, segmentWorld, withSegments } from "./world.ts"

describe("a segment whose evaluation takes all of a run and fails", () => {
  it("keeps the others waiting once, and is tried again after 15 minutes", async () => {
    const tried: Array<string> = []
    const heavy = { id: "", take: () => {} }
    const { world, projectId, create, get } = await segmentWorld({
      ports: withSegments(({ evaluate }) => ({
        evaluate: (segment, rules, now) =>
          Effect.suspend(() => {
            tried.push(segment.id === heavy.id ? "heavy" : "other")
            if (segment.id !== heavy.id) return evaluate(segment, rules, now)
            heavy.take()
            return Effect.die("canceling statement due to statement timeout")
          }),
      })),
    })
    await world.runPending()
    heavy.take = () => world.clock.advance("10 minutes")
    heavy.id = (await create(atLeast(1))).id
    const { id: other } = await create(atLeast(1))
    tried.length = 0
    const run = () => world.run(world.core.background.evaluation.evaluateSegments.run(projectId))
    await run()
    await run()
    await run()
    expect(tried).toEqual(["heavy", "other"])
    expect((await get(other)).last_evaluated_at).toEqual(world.clock.now())
    world.clock.advance("15 minutes")
    tried.length = 0
    await run()
    await run()
    // By now the others are due again, and come first.
    expect(tried).toEqual([...Array(4).fill("other"), "heavy", "other"])
  })
})

describe("an evaluation on demand that fails", () => {
  it("is signalled, and tried again by the next run that is due, not by the queue", async () => {
    const { world, failing, evaluated, create } = await recordingWorld()
    await world.runPending()
    const { id } = await create(atLeast(1))
    failing.add(id)
    evaluated.length = 0
    await world.advance("14 minutes")
    expect(evaluated).toEqual([id])
    expect(world.signals.of("evaluation_failed")).toMatchObject([{ segment_id: id, reason: "a statement failed" }])
    expect(world.deaths).toEqual([])
    failing.clear()
    await world.advance("2 minutes")
    expect(evaluated.filter((each) => each === id)).toHaveLength(2)
  })
})

/** Ports for which the database is too busy for transactions that evaluate this segment, as where its disk is too small for it. */
const busyFor = (segment: { id: string }) => (ports: Ports) => {
  const tooBusy = {}
  const { tenants = ports.tenants } = withSegments(({ evaluate }) => ({
    evaluate: (found, rules, now) => (found.id === segment.id ? Effect.die(tooBusy) : evaluate(found, rules, now)),
  }))(ports)
  const transact: typeof tenants.transact = (id, work, options) =>
    Effect.catchDefect(tenants.transact(id, work, options), (defect) =>
      defect === tooBusy ? Effect.fail(new TenantBusy()) : Effect.die(defect),
    )
  return { tenants: { ...tenants, transact } }
}

describe("a segment for which the database is too busy", () => {
  it("keeps the others waiting once", async () => {
    const heavy = { id: "" }
    const { world, create, named, get } = await segmentWorld({ ports: busyFor(heavy) })
    await world.runPending()
    heavy.id = (await create(atLeast(1))).id
    for (let polls = 0; polls < 120; polls += 1) {
      world.clock.advance("30 seconds")
      await world.runPending()
    }
    const { last_evaluated_at } = await named("All users")
    expect(world.clock.now().getTime() - (last_evaluated_at?.getTime() ?? 0)).toBeLessThanOrEqual(15 * 60_000)
    expect((await get(heavy.id)).last_evaluated_at).toBeNull()
  })

  it("is evaluated on demand after five seconds, where it was busy for a moment", async () => {
    const heavy = { id: "" }
    const { world, create, get } = await segmentWorld({ ports: busyFor(heavy) })
    await world.runPending()
    await world.advance("5 minutes")
    heavy.id = (await create(atLeast(1))).id
    await world.runPending()
    expect((await get(heavy.id)).last_evaluated_at).toBeNull()
    const { id } = heavy
    heavy.id = ""
    await world.advance("5 seconds")
    expect((await get(id)).last_evaluated_at).toEqual(world.clock.now())
    expect(world.signals.of("evaluation_failed")).toEqual([])
  })

  it("is asked for once more, and then left to regular runs", async () => {
    const heavy = { id: "" }
    const { world, create, get } = await segmentWorld({ ports: busyFor(heavy) })
    await world.runPending()
    await world.advance("5 minutes")
    heavy.id = (await create(atLeast(1))).id
    await world.advance("1 minute")
    expect(world.signals.of("evaluation_failed")).toMatchObject([{ segment_id: heavy.id, reason: "TENANT_BUSY" }])
    const { id } = heavy
    heavy.id = ""
    await world.advance("15 minutes")
    expect((await get(id)).last_evaluated_at).not.toBeNull()
  })
})
