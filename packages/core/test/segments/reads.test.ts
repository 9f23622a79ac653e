import { anEntitlement, anId, aSegment } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { streakWorld } from "../streaks/world.ts"
import { atLeast, segmentWorld } from "./world.ts"

const noon = new Date("2026-03-01T12:00:00.000Z")
const streakRule = (definitionId: string, op: string, value: number) => ({
  operator: "AND",
  conditions: [{ field: `streaks.${definitionId}.current_count`, op, value }],
})

describe("a preview [E6]", () => {
  it("counts all matching users and shows ten, the latest active first; nothing is stored", async () => {
    const { world, projectId, player } = await segmentWorld()
    const ids: Array<string> = []
    for (let users = 0; users < 12; users += 1) {
      ids.push(await player(users))
      world.clock.advance("1 minute")
    }
    const { preview, list } = world.core.segments
    const before = await world.run(list(projectId, { limit: 50, offset: 0 }))
    const { user_count, sample } = await world.run(preview(projectId, atLeast(1)))
    expect(user_count).toBe(11)
    expect(sample.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10))
    expect(await world.run(list(projectId, { limit: 50, offset: 0 }))).toEqual(before)
    expect(await world.run(preview(projectId, atLeast(100)))).toEqual({ user_count: 0, sample: [] })
  })

  it("is refused for invalid rules", async () => {
    const { world, projectId } = await segmentWorld()
    for (const rules of [null, "all", { operator: "OR", conditions: [{}] }]) {
      const refused = await world.run(Effect.flip(world.core.segments.preview(projectId, rules)))
      expect(refused).toMatchObject({ code: "INVALID_RULES" })
    }
  })

  it("counts streaks as they are now, before any poll [E2]", async () => {
    const { world, projectId, definition, qualify, stored } = await streakWorld()
    await qualify()
    world.clock.advance("3 days")
    expect((await stored())?.current_count).toBe(1)
    const { preview } = world.core.segments
    expect(await world.run(preview(projectId, streakRule(definition.id, "gte", 1)))).toMatchObject({ user_count: 0 })
    expect(await world.run(preview(projectId, streakRule(definition.id, "lt", 1)))).toMatchObject({ user_count: 1 })
  })
})

describe("an explanation", () => {
  it("shows the actual value of each rule, and whether the user is a member already", async () => {
    const { world, create, player, explain } = await segmentWorld()
    const [inside, outside] = [await player(20), await player(5)]
    const { id } = await create(atLeast(10))
    const leaf = { field: "properties.points", op: "gte", value: 10, is_missing: false }
    expect(await explain(id, inside)).toEqual({
      ...{ segment_id: id, user_id: inside, matches: true, is_member: false, is_manual: false },
      ...{ evaluated_at: null, explained_at: noon },
      tree: { operator: "AND", matches: true, conditions: [{ ...leaf, actual: 20, matches: true }] },
    })
    await world.runPending()
    world.clock.advance("1 minute")
    expect(await explain(id, inside)).toMatchObject({
      ...{ matches: true, is_member: true, is_manual: false, evaluated_at: noon },
      explained_at: new Date("2026-03-01T12:01:00.000Z"),
    })
    expect(await explain(id, outside)).toMatchObject({
      ...{ matches: false, is_member: false },
      tree: { conditions: [{ ...leaf, actual: 5, matches: false }] },
    })
  })

  it("tells the current match from the membership of the last evaluation", async () => {
    const { world, projectId, create, player, explain } = await segmentWorld()
    const userId = await player(20)
    const { id } = await create(atLeast(10))
    await world.runPending()
    await world.run(world.core.users.update(projectId, userId, { properties: { points: 1 } }))
    expect(await explain(id, userId)).toMatchObject({ matches: false, is_member: true })
  })

  it("covers entitlements, events and current streaks", async () => {
    const { world, projectId, userId, definition, qualify, lessons } = await streakWorld()
    const pro = anEntitlement({ app_user_id: userId, entitlement_id: "pro.yearly" })
    await world.run(world.tenants.transact(projectId, (db) => db.entitlements.insert(pro)))
    await lessons("2026-02-01", "2026-02-27")
    await qualify()
    world.clock.advance("3 days")
    const lesson = { event: "lesson", op: "gte" }
    const { id } = await world.run(
      world.core.segments.create(projectId, {
        name: "All sorts",
        description: null,
        rules: {
          operator: "OR",
          conditions: [
            { ...lesson, count: 3 },
            { ...lesson, count: 3, within: "7d" },
            { ...lesson, count: 1, within: "1h" },
            { field: "entitlements.pro.yearly", op: "eq", value: true },
            { field: "entitlements.other", op: "exists" },
            { field: `streaks.${definition.id}.current_count`, op: "eq", value: 1 },
          ],
        },
      }),
    )
    const { tree } = await world.run(world.core.segments.explain(projectId, id, userId))
    expect(tree).toMatchObject({
      matches: true,
      conditions: [
        { actual: 3, matches: true },
        { actual: 2, within: "7d", matches: false },
        { actual: 0, within: "1h", matches: false },
        { actual: true, matches: true },
        { is_missing: true, matches: false },
        { actual: 0, matches: false },
      ],
    })
  })

  it("shows members that were added by hand, who stay when the segment is evaluated", async () => {
    const { world, projectId, create, get, player, explain } = await segmentWorld()
    const userId = await player(5)
    const { id } = await create(atLeast(10))
    const body = { user_ids: [userId], updates: { add_segment_ids: [id] } }
    expect(await world.run(world.core.users.bulkUpdate(projectId, body))).toEqual({ updated: 1, failed: [] })
    const byHand = { matches: false, is_member: true, is_manual: true }
    expect(await explain(id, userId)).toMatchObject(byHand)
    await world.advance("1 hour")
    expect(await explain(id, userId)).toMatchObject(byHand)
    expect((await get(id)).user_count).toBe(1)
  })

  it("fails for an unknown segment and an unknown user", async () => {
    const { world, projectId, create, player } = await segmentWorld()
    const userId = await player(1)
    const { id } = await create(atLeast(10))
    for (const [segment, user] of [
      [anId(), userId],
      [id, anId()],
    ] as const) {
      const refused = await world.run(Effect.flip(world.core.segments.explain(projectId, segment, user)))
      expect(refused).toMatchObject({ code: "NOT_FOUND" })
    }
  })

  it("fails with the issues of stored rules that can no longer be read", async () => {
    const { world, projectId, player } = await segmentWorld()
    const userId = await player(1)
    const broken = aSegment({ rules: { operator: "XOR", conditions: [] } })
    await world.run(world.tenants.transact(projectId, (db) => db.segments.insert(broken)))
    const refused = await world.run(Effect.flip(world.core.segments.explain(projectId, broken.id, userId)))
    expect(refused).toMatchObject({ code: "INVALID_RULES", details: { issues: [{ path: "rules.operator" }] } })
  })
})
