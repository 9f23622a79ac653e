import type { JsonObject } from "@hearth/core"
import { propertiesBytes } from "@hearth/core/users"
import { anId, aSegment, aUser, testWorld } from "@hearth/testing"
import { Effect, Latch, Option } from "effect"
import { describe, expect, it } from "vitest"
import { fault, withFault } from "../faults.ts"

const setUp = async (options: Parameters<typeof testWorld>[0] = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { projectId } = await world.aProjectWithOwner()
  const write = (work: Parameters<typeof world.tenants.transact>[1]) =>
    world.run(Effect.orDie(world.tenants.transact(projectId, work)))
  const user = async (properties: JsonObject = {}) => {
    const row = aUser({ properties })
    await write((db) => db.users.insert(row))
    return row.id
  }
  const segment = async (is_system = false) => {
    const row = aSegment({ is_system })
    await write((db) => db.segments.insert(row))
    return row.id
  }
  const bulk = (user_ids: ReadonlyArray<string>, updates: object) =>
    world.core.users.bulkUpdate(projectId, { user_ids, updates })
  const userRow = (id: string) =>
    world.run(
      Effect.map(
        world.tenants.read(projectId, (db) => db.users.find({ id })),
        Option.getOrThrow,
      ),
    )
  return {
    world,
    projectId,
    user,
    segment,
    userRow,
    update: (ids: ReadonlyArray<string>, updates: object) => world.run(bulk(ids, updates)),
    refused: (ids: ReadonlyArray<string>, updates: object) => world.run(Effect.flip(bulk(ids, updates))),
    dies: (ids: ReadonlyArray<string>, updates: object) => world.run(Effect.exit(bulk(ids, updates))),
    propertiesOf: async (id: string) => (await userRow(id)).properties,
    /** The members of a segment, checked against its `user_count`. */
    membersOf: async (id: string) => {
      const { data, count } = await world.run(
        Effect.gen(function* () {
          const { rows } = yield* world.core.users.list(projectId, { segment_id: id, limit: 1_000, offset: 0 })
          const found = yield* world.tenants.read(projectId, (db) => db.segments.find({ id }))
          return { data: rows.map((row) => row.id), count: Option.getOrThrow(found).user_count }
        }),
      )
      expect(count).toBe(data.length)
      return data.sort()
    },
  }
}

describe("a bulk update (spec: bulk update)", () => {
  it("merges properties at the top level and sets updated_at", async () => {
    const { world, user, update, userRow, propertiesOf } = await setUp()
    const [ada, bob, other] = [await user({ plan: "free", a: { b: 1 } }), await user(), await user({ plan: "free" })]
    await world.advance("1 hour")
    const answer = await update([ada, bob], { properties: { plan: "pro", a: { c: 2 } } })
    expect(answer).toEqual({ updated: 2, failed: [] })
    expect([await propertiesOf(ada), await propertiesOf(bob)]).toEqual([
      { plan: "pro", a: { c: 2 } },
      { plan: "pro", a: { c: 2 } },
    ])
    expect((await userRow(ada)).updated_at).toEqual(new Date("2026-03-01T13:00:00.000Z"))
    expect(await propertiesOf(other)).toEqual({ plan: "free" })
  })

  it("adds to segments and removes from segments, idempotently", async () => {
    const { user, segment, update, membersOf } = await setUp()
    const [ada, bob] = [await user(), await user()]
    const [one, two] = [await segment(), await segment()]
    for (const _ of [1, 2]) {
      expect(await update([ada, bob], { add_segment_ids: [one, two] })).toEqual({ updated: 2, failed: [] })
    }
    expect([await membersOf(one), await membersOf(two)]).toEqual([
      [ada, bob],
      [ada, bob],
    ])
    for (const _ of [1, 2]) {
      expect(await update([ada], { remove_segment_ids: [one] })).toEqual({ updated: 1, failed: [] })
    }
    expect([await membersOf(one), await membersOf(two)]).toEqual([[bob], [ada, bob]])
  })

  it("does all three at once", async () => {
    const { user, segment, update, membersOf, propertiesOf } = await setUp()
    const ada = await user()
    const [from, to] = [await segment(), await segment()]
    await update([ada], { add_segment_ids: [from] })
    await update([ada], { properties: { moved: true }, add_segment_ids: [to], remove_segment_ids: [from] })
    expect([await membersOf(from), await membersOf(to), await propertiesOf(ada)]).toEqual([[], [ada], { moved: true }])
  })

  it("removes from a segment that is named in both lists", async () => {
    const { user, segment, update, membersOf } = await setUp()
    const [ada, bob] = [await user(), await user()]
    const id = await segment()
    await update([ada], { add_segment_ids: [id] })
    await update([ada, bob], { add_segment_ids: [id], remove_segment_ids: [id.toUpperCase()] })
    expect(await membersOf(id)).toEqual([])
  })

  it("does not move updated_at where only memberships change", async () => {
    const { world, user, segment, update, userRow } = await setUp()
    const ada = await user()
    const before = await userRow(ada)
    await world.advance("1 hour")
    await update([ada], { add_segment_ids: [await segment()] })
    expect(await userRow(ada)).toEqual(before)
  })
})

describe("users of a bulk update who", () => {
  it("do not exist are named, and the others are updated", async () => {
    const { user, segment, update, membersOf, propertiesOf } = await setUp()
    const [ada, id] = [await user(), await segment()]
    const [first, last] = [anId(), anId()]
    const updates = { properties: { x: 1 }, add_segment_ids: [id] }
    expect(await update([last, ada, first, last.toUpperCase()], updates)).toEqual({
      updated: 1,
      failed: [
        { user_id: last, reason: "NOT_FOUND" },
        { user_id: first, reason: "NOT_FOUND" },
      ],
    })
    expect([await membersOf(id), await propertiesOf(ada)]).toEqual([[ada], { x: 1 }])
  })

  it("are of another project do not exist", async () => {
    const { world, user, update, segment, refused } = await setUp()
    const there = await user()
    const segmentThere = await segment()
    const { projectId } = await world.aProjectWithOwner()
    const updates = { properties: { leaked: true } }
    const answer = await world.run(world.core.users.bulkUpdate(projectId, { user_ids: [there], updates }))
    expect(answer).toEqual({ updated: 0, failed: [{ user_id: there, reason: "NOT_FOUND" }] })
    const add = { user_ids: [there], updates: { add_segment_ids: [segmentThere] } }
    expect(await world.run(Effect.flip(world.core.users.bulkUpdate(projectId, add)))).toMatchObject({
      code: "NOT_FOUND",
    })
    expect(await update([there], updates)).toMatchObject({ updated: 1 })
    expect(await refused([there], { add_segment_ids: [anId()] })).toMatchObject({ code: "NOT_FOUND" })
  })

  it("are listed twice count once", async () => {
    const { user, segment, update, membersOf } = await setUp()
    const [ada, id] = [await user(), await segment()]
    expect(await update([ada, ada.toUpperCase(), ada], { add_segment_ids: [id, id] })).toEqual({
      updated: 1,
      failed: [],
    })
    expect(await membersOf(id)).toEqual([ada])
  })

  it("would have more than 64 KB of properties are left as they are, to the byte", async () => {
    const { user, segment, update, membersOf, userRow, propertiesOf } = await setUp()
    const changes = { ключ: '🦊\n"', n: 1e300 }
    const room = 65_536 - propertiesBytes({ ...changes, a: "" })
    const [fits, over, small] = [
      await user({ a: "x".repeat(room) }),
      await user({ a: "x".repeat(room + 1) }),
      await user(),
    ]
    const before = await userRow(over)
    const id = await segment()
    const answer = await update([over, anId(), fits, small], { properties: changes, add_segment_ids: [id] })
    expect(answer).toMatchObject({ updated: 2, failed: [{ user_id: over, reason: "PROPERTIES_TOO_LARGE" }, {}] })
    expect(await membersOf(id)).toEqual([fits, small].sort())
    expect(await userRow(over)).toEqual(before)
    expect(propertiesBytes(await propertiesOf(fits))).toBe(65_536)
  })

  it("have large properties can be given smaller ones, and be added to segments", async () => {
    const { user, segment, update, propertiesOf, membersOf } = await setUp()
    const large = await user({ a: "x".repeat(70_000) })
    const id = await segment()
    expect(await update([large], { add_segment_ids: [id] })).toEqual({ updated: 1, failed: [] })
    expect(await membersOf(id)).toEqual([large])
    expect(await update([large], { properties: { a: "y" } })).toEqual({ updated: 1, failed: [] })
    expect(await propertiesOf(large)).toEqual({ a: "y" })
  })

  it("are all left as they are by properties that are too large by themselves", async () => {
    const { user, update, propertiesOf } = await setUp()
    const [ada, nobody] = [await user({ a: 1 }), anId()]
    expect(await update([nobody, ada], { properties: { a: "x".repeat(65_536) } })).toEqual({
      updated: 0,
      failed: [
        { user_id: nobody, reason: "NOT_FOUND" },
        { user_id: ada, reason: "PROPERTIES_TOO_LARGE" },
      ],
    })
    expect(await propertiesOf(ada)).toEqual({ a: 1 })
  })

  it("are many with large properties are checked one by one", async () => {
    const { user, update } = await setUp()
    const ids = []
    for (let n = 0; n < 70; n += 1) ids.push(await user({ a: "x".repeat(n % 2 === 0 ? 65_510 : 65_520) }))
    const { updated, failed } = await update(ids, { properties: { b: "1234567" } })
    expect(updated).toBe(35)
    expect(failed.map(({ user_id }) => user_id)).toEqual(ids.filter((_, n) => n % 2 === 1))
  })
})

describe("segments of a bulk update that", () => {
  it("do not exist refuse an addition, and nothing is done", async () => {
    const { user, segment, refused, membersOf, propertiesOf } = await setUp()
    const [ada, id] = [await user(), await segment()]
    const [missing, gone] = [anId(), anId()]
    const failure = await refused([ada], { properties: { x: 1 }, add_segment_ids: [missing, id, gone] })
    expect(failure).toMatchObject({ code: "NOT_FOUND", kind: "not_found", details: { segment_ids: [missing, gone] } })
    expect([await membersOf(id), await propertiesOf(ada)]).toEqual([[], {}])
    expect(await refused([ada], { add_segment_ids: [gone], remove_segment_ids: [gone] })).toMatchObject({
      code: "NOT_FOUND",
    })
  })

  it("do not exist are ignored in a removal", async () => {
    const { user, update } = await setUp()
    const ada = await user()
    expect(await update([ada], { remove_segment_ids: [anId()] })).toEqual({ updated: 1, failed: [] })
  })

  it.each(["add_segment_ids", "remove_segment_ids"])(
    "are system segments refuse it in %s, and nothing is done",
    async (list) => {
      const { user, segment, refused, membersOf, propertiesOf } = await setUp()
      const [ada, plain, system] = [await user(), await segment(), await segment(true)]
      const failure = await refused([ada], { properties: { x: 1 }, [list]: [plain, system] })
      expect(failure).toMatchObject({ code: "SYSTEM_SEGMENT", kind: "forbidden", details: { segment_ids: [system] } })
      expect([await membersOf(plain), await membersOf(system), await propertiesOf(ada)]).toEqual([[], [], {}])
    },
  )
})

describe("a bulk update that dies midway", () => {
  it.each(["mergeProperties", "add", "remove"] as const)("in %s has done nothing", async (step) => {
    const { arm, shouldFail } = fault()
    const breakStatement = <F extends (...given: never) => Effect.Effect<void>>(name: string, statement: F): F =>
      ((...given: never) =>
        name === step && shouldFail() ? Effect.die(new Error("should fail")) : statement(...given)) as unknown as F
    const { user, segment, update, dies, membersOf, propertiesOf } = await setUp({
      ports: ({ tenants }) => ({
        tenants: withFault(tenants, (db) => ({
          ...db,
          users: { ...db.users, mergeProperties: breakStatement("mergeProperties", db.users.mergeProperties) },
          segmentMembers: {
            ...db.segmentMembers,
            add: breakStatement("add", db.segmentMembers.add),
            remove: breakStatement("remove", db.segmentMembers.remove),
          },
        })),
      }),
    })
    const [ada, from, to] = [await user({ a: 1 }), await segment(), await segment()]
    await update([ada], { add_segment_ids: [from] })
    const updates = { properties: { b: 2 }, add_segment_ids: [to], remove_segment_ids: [from] }
    arm()
    expect((await dies([ada], updates))._tag).toBe("Failure")
    expect([await propertiesOf(ada), await membersOf(from), await membersOf(to)]).toEqual([{ a: 1 }, [ada], []])
    expect(await update([ada], updates)).toEqual({ updated: 1, failed: [] })
  })
})

describe("the locks of a bulk update", () => {
  it("are taken on users before segments, as everybody does", async () => {
    const { world, projectId, user, segment, update, membersOf } = await setUp()
    const [id, group] = [await user(), await segment()]
    const locked = Latch.makeUnsafe()
    const other = world.run(
      world.tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* db.users.lock(id)
          locked.openUnsafe()
          // The bulk update gets as far as it can. Did it hold the segment by now, the two would wait for each other.
          for (let turn = 0; turn < 100; turn += 1) yield* Effect.yieldNow
          yield* db.segments.lock(group)
        }),
      ),
    )
    await world.run(locked.await)
    await Promise.all([other, update([id], { add_segment_ids: [group] })])
    expect(await membersOf(group)).toEqual([id])
  })
})
