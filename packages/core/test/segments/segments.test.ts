import { systemSegments } from "@hearth/core/segments"
import { anId, aSegment } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { atLeast, queueThatBreaks, segmentWorld } from "./world.ts"

const noon = new Date("2026-03-01T12:00:00.000Z")
const anything = { limit: 50, offset: 0 }

describe("creating a segment [E6]", () => {
  it("starts without members, which the background evaluates at once", async () => {
    const { world, projectId, create, get, player, members } = await segmentWorld()
    const [many, few] = [await player(20), await player(5)]
    const made = await create(atLeast(10))
    const row = { name: "Players", description: null, rules: atLeast(10), is_system: false, created_at: noon }
    expect(made).toEqual({ ...row, campaign_id: null, id: made.id, user_count: 0, last_evaluated_at: null })
    expect(await get(made.id)).toEqual(made)
    expect(await world.run(world.workflows.runDue())).toBe(1)
    expect(await get(made.id)).toEqual({ ...made, user_count: 1, last_evaluated_at: noon })
    expect(await members(made.id, many, few)).toEqual([true, false])
    expect(await world.run(world.core.segments.get(projectId, made.id))).toMatchObject({ user_count: 1 })
  })

  it("stores its rules as sent, unknown keys too", async () => {
    const { create, get } = await segmentWorld()
    const rules = { operator: "NOT", note: { by: "Ada" }, conditions: [{ field: "email", op: "exists", hint: [1] }] }
    const { id } = await create(rules)
    expect((await get(id)).rules).toEqual(rules)
  })

  it.each([
    ["null", null, "rules"],
    ["text", "everybody", "rules"],
    ["a list", [], "rules"],
    ["a leaf as the root", { field: "email", op: "exists" }, "rules"],
    ["an unknown operator", { operator: "XOR", conditions: [] }, "rules.operator"],
    ["a credential", { operator: "AND", conditions: [{ field: "password_hash", op: "exists" }] }, "rules.conditions.0"],
  ])("is refused with %s as rules: INVALID_RULES has the path", async (_, rules, path) => {
    const { world, projectId } = await segmentWorld()
    const made = world.core.segments.create(projectId, { name: "Bad", description: null, rules })
    const refused = await world.run(Effect.flip(made))
    expect(refused).toMatchObject({ code: "INVALID_RULES", kind: "invalid" })
    const issues = (refused as unknown as { details: { issues: ReadonlyArray<{ path: string }> } }).details.issues
    expect(issues[0]?.path.startsWith(path)).toBe(true)
    const { total } = await world.run(world.core.segments.list(projectId, anything))
    expect(total).toBe(systemSegments.length)
  })
})

describe("the number of segments [G0.6]", () => {
  it("is 1,000 at most, also where several are made at once; those of the system and of push-schedules do not count", async () => {
    const { world, projectId, create } = await segmentWorld()
    const made = await create(atLeast(1))
    const of = (row: object) => ({ ...made, campaign_id: null, id: world.ports.ids.uuid(), ...row })
    const rows = [of({ is_system: true }), ...Array.from({ length: 998 }, () => of({}))]
    await world.run(
      world.tenants.transact(projectId, (db) => Effect.forEach(rows, (row) => Effect.orDie(db.segments.insert(row)))),
    )
    const input = { name: "One more", description: null, rules: atLeast(1) }
    const attempt = Effect.match(world.core.segments.create(projectId, input), {
      onFailure: ({ code }) => code,
      onSuccess: () => "made",
    })
    const outcomes = await Promise.all([attempt, attempt, attempt].map(world.run))
    expect(outcomes.toSorted()).toEqual(["LIMIT_REACHED", "LIMIT_REACHED", "made"])
    await world.run(world.core.segments.remove(projectId, made.id))
    expect(await world.run(attempt)).toBe("made")
  })
})

describe("listing segments", () => {
  it("returns system segments first, then the oldest, in pages that never overlap", async () => {
    const { world, projectId, create } = await segmentWorld()
    const names: Array<string> = []
    for (const name of ["B", "A", "C"]) {
      await create(atLeast(1), name)
      names.push(name)
      world.clock.advance("1 minute")
    }
    const late = aSegment({ name: "Late", is_system: true, created_at: world.clock.now() })
    await world.run(world.tenants.transact(projectId, (db) => db.segments.insert(late)))
    const page = async (limit: number, offset: number) =>
      world.run(world.core.segments.list(projectId, { limit, offset }))
    const all = await page(50, 0)
    expect(all.total).toBe(8)
    expect(all.rows.map(({ name }) => name)).toEqual([...systemSegments.map(({ name }) => name), "Late", ...names])
    const [first, second] = [await page(5, 0), await page(5, 5)]
    expect([...first.rows, ...second.rows]).toEqual(all.rows)
  })

  it("fails for an unknown id", async () => {
    const { world, projectId } = await segmentWorld()
    expect(await world.run(Effect.flip(world.core.segments.get(projectId, anId())))).toMatchObject({
      code: "NOT_FOUND",
    })
  })
})

describe("changing a segment", () => {
  it("changes the fields that are given; an empty change changes nothing [A5]", async () => {
    const { world, create, update, get } = await segmentWorld()
    const made = await create(atLeast(10))
    await world.runPending()
    const before = await get(made.id)
    expect(await update(made.id, {})).toEqual(before)
    expect(await update(made.id, { name: "Winners", description: "Ten points." })).toEqual({
      ...before,
      name: "Winners",
      description: "Ten points.",
    })
    expect(await update(made.id, { description: null })).toEqual({ ...before, name: "Winners" })
    expect(await world.run(world.workflows.runDue())).toBe(0)
  })

  it("evaluates new rules at once in the background; the count stays until then", async () => {
    const { world, create, update, get, player, members } = await segmentWorld()
    const [many, few] = [await player(20), await player(5)]
    const { id } = await create(atLeast(10))
    await world.runPending()
    world.clock.advance("1 minute")
    const rules = { operator: "NOT", conditions: [atLeast(10)] }
    expect(await update(id, { rules })).toMatchObject({ rules, user_count: 1, last_evaluated_at: noon })
    await player(1)
    expect(await world.run(world.workflows.runDue())).toBe(1)
    expect(await get(id)).toMatchObject({ user_count: 2, last_evaluated_at: new Date("2026-03-01T12:01:00.000Z") })
    expect(await members(id, many, few)).toEqual([false, true])
  })

  it("is refused for invalid rules", async () => {
    const { create, refusedUpdate, get } = await segmentWorld()
    const made = await create(atLeast(10))
    for (const rules of [null, {}, { operator: "AND" }]) {
      expect(await refusedUpdate(made.id, { name: "Other", rules })).toMatchObject({ code: "INVALID_RULES" })
    }
    expect(await get(made.id)).toMatchObject({ name: "Players", rules: atLeast(10) })
  })

  it("fails for an unknown id", async () => {
    const { refusedUpdate } = await segmentWorld()
    for (const changes of [{}, { name: "Other" }, { rules: null }]) {
      expect(await refusedUpdate(anId(), changes)).toMatchObject({ code: "NOT_FOUND" })
    }
  })
})

describe("removing a segment", () => {
  it("removes its memberships; a second call does nothing [A7]", async () => {
    const { world, projectId, create, player } = await segmentWorld()
    const userId = await player(20)
    const { id } = await create(atLeast(10))
    await world.runPending()
    const { get, remove } = world.core.segments
    const membership = () => world.run(world.tenants.read(projectId, (db) => db.segments.membership(id, userId)))
    expect(await membership()).toMatchObject({ _tag: "Some" })
    for (let times = 0; times < 2; times += 1) await world.run(remove(projectId, id))
    expect(await world.run(Effect.flip(get(projectId, id)))).toMatchObject({ code: "NOT_FOUND" })
    expect(await membership()).toMatchObject({ _tag: "None" })
    await world.advance("1 hour")
    expect(world.signals.of("evaluation_failed")).toEqual([])
  })
})

describe("a system segment", () => {
  it.each(systemSegments.map(({ name }) => name))("is read-only: %s", async (name) => {
    const { world, projectId, named, refusedUpdate } = await segmentWorld()
    await world.runPending()
    const before = await named(name)
    for (const changes of [{}, { name: "Mine" }, { description: null }, { rules: atLeast(1) }, { rules: null }]) {
      expect(await refusedUpdate(before.id, changes)).toMatchObject({ code: "SYSTEM_SEGMENT", kind: "forbidden" })
    }
    const removed = await world.run(Effect.flip(world.core.segments.remove(projectId, before.id)))
    expect(removed).toMatchObject({ code: "SYSTEM_SEGMENT" })
    expect(await named(name)).toEqual(before)
  })

  it("can be evaluated, previewed and explained like any other", async () => {
    const { world, projectId, named, player, explain } = await segmentWorld()
    const userId = await player(1)
    const { id, rules } = await named("New users")
    expect(await world.run(world.core.segments.preview(projectId, rules))).toMatchObject({ user_count: 1 })
    await world.run(world.core.segments.evaluate(projectId, id))
    await world.run(world.workflows.runDue())
    expect(await named("New users")).toMatchObject({ user_count: 1, last_evaluated_at: noon })
    expect(await explain(id, userId)).toMatchObject({ matches: true, is_member: true })
  })
})

describe("an evaluation on demand", () => {
  it("is started without waiting; two requests make one run", async () => {
    const { world, projectId, create, get, player } = await segmentWorld()
    const { id } = await create(atLeast(10))
    await world.runPending()
    await player(20)
    world.clock.advance("1 minute")
    for (let times = 0; times < 2; times += 1) {
      const started = await world.run(world.core.segments.evaluate(projectId, id))
      expect(started).toEqual({ status: "evaluating", segment_id: id })
    }
    expect((await get(id)).user_count).toBe(0)
    expect(await world.run(world.workflows.runDue())).toBe(1)
    expect(await get(id)).toMatchObject({ user_count: 1, last_evaluated_at: new Date("2026-03-01T12:01:00.000Z") })
  })

  it("fails for an unknown segment", async () => {
    const { world, projectId } = await segmentWorld()
    const refused = await world.run(Effect.flip(world.core.segments.evaluate(projectId, anId())))
    expect(refused).toMatchObject({ code: "NOT_FOUND" })
  })

  it("runs once for each of two projects whose segments have the same id", async () => {
    const { world, projectId } = await segmentWorld()
    const other = await world.aProjectWithOwner()
    const segment = aSegment()
    for (const id of [projectId, other.projectId]) {
      await world.run(world.tenants.transact(id, (db) => db.segments.insert(segment)))
      await world.run(world.core.segments.evaluate(id, segment.id))
    }
    expect(await world.run(world.workflows.runDue())).toBe(2)
  })

  it("is EVALUATE_FAILED while the queue cannot be reached", async () => {
    const { state, ports } = queueThatBreaks()
    const { world, projectId, create } = await segmentWorld({ ports })
    const { id } = await create(atLeast(10))
    state.isDown = true
    const refused = await world.run(Effect.flip(world.core.segments.evaluate(projectId, id)))
    expect(refused).toMatchObject({ code: "EVALUATE_FAILED", kind: "internal" })
  })
})

describe("a queue that cannot be reached", () => {
  it("does not fail creating and changing segments; the next poll evaluates them", async () => {
    const { state, ports } = queueThatBreaks()
    const { world, projectId, create, update, get, player } = await segmentWorld({ ports })
    await player(5)
    state.isDown = true
    const { id } = await create(atLeast(10))
    expect(await update(id, { rules: atLeast(3) })).toMatchObject({ rules: atLeast(3) })
    expect(world.signals.of("evaluation_not_started")).toEqual(
      Array(2).fill({ name: "evaluation_not_started", project_id: projectId }),
    )
    await world.advance("1 minute")
    expect(await get(id)).toMatchObject({ user_count: 0, last_evaluated_at: null })
    state.isDown = false
    await world.runPending()
    expect(await get(id)).toMatchObject({ user_count: 1, last_evaluated_at: new Date("2026-03-01T12:01:00.000Z") })
  })
})
