import { type BulkUpdated, propertiesBytes } from "@hearth/core/users"
import { aSegment, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memoryPorts, openNode, type TestNode } from "../nodes.ts"
import { ids, type TestServer, testServer } from "../server.ts"

/** The list in random order. */
const shuffled = <T>(list: ReadonlyArray<T>): ReadonlyArray<T> =>
  list
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)

describe("concurrent bulk updates and grants in two processes", () => {
  let server: TestServer
  let nodes: readonly [TestNode, TestNode]
  let project: string
  let database: string
  const ports = memoryPorts()

  beforeAll(async () => {
    server = testServer()
    nodes = [await openNode(server, { ports }), await openNode(server, { ports })]
    project = await server.project(await server.open())
    database = server.databaseOf(project)
  })
  afterAll(() => server.close())

  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
  const coreOf = (turn: number) => nodes[turn % 2 === 0 ? 0 : 1].core
  const bulk = (turn: number, user_ids: ReadonlyArray<string>, updates: object): Promise<BulkUpdated> =>
    run(coreOf(turn).users.bulkUpdate(project, { user_ids, updates }))
  const users = async (count: number) => {
    const rows = Array.from({ length: count }, () => aUser({ id: ids.uuid(), anonymous_id: ids.uuid() }))
    await run(
      nodes[0].tenants.transact(project, (db) =>
        Effect.orDie(Effect.forEach(rows, (row) => db.users.insert(row), { discard: true })),
      ),
    )
    return rows.map(({ id }) => id)
  }
  const segments = async (count: number) => {
    const rows = Array.from({ length: count }, () => aSegment({ id: ids.uuid() }))
    await run(
      nodes[0].tenants.transact(project, (db) =>
        Effect.orDie(Effect.forEach(rows, (row) => db.segments.insert(row), { discard: true })),
      ),
    )
    return rows.map(({ id }) => id)
  }
  /** `user_count` of each segment minus its members. */
  const surplus = async (of: ReadonlyArray<string>) => {
    const list = of.map((id) => `'${id}'`).join()
    const found = await server.rows<{ surplus: number }>(
      database,
      `select (user_count - (select count(*) from segment_memberships where segment_id = id))::int as surplus
       from segments where id in (${list}) order by id`,
    )
    return found.map((row) => row.surplus)
  }

  it("do not deadlock, and keep the counts right", async () => {
    const [people, groups] = [await users(40), await segments(4)]
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, turn) => {
        const some = shuffled(people).slice(0, 25)
        const [first, second, third] = shuffled(groups)
        return bulk(turn, some, {
          ...{ properties: { [`turn_${turn}`]: true } },
          ...{ add_segment_ids: [first, second], remove_segment_ids: [third] },
        })
      }),
    )
    expect(answers.map(({ updated }) => updated)).toEqual(answers.map(() => 25))
    expect(await surplus(groups)).toEqual([0, 0, 0, 0])
    const [merged] = await server.rows<{ keys: number }>(
      database,
      `select sum((select count(*) from jsonb_object_keys(properties)))::int as keys from app_users
       where id in (${people.map((id) => `'${id}'`).join()})`,
    )
    expect(merged?.keys).toBe(60 * 25)
  })

  it("do not deadlock without segments either", async () => {
    const people = await users(100)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => bulk(turn, shuffled(people), { properties: { [`turn_${turn}`]: 1 } })),
    )
    expect(answers).toEqual(answers.map(() => ({ updated: 100, failed: [] })))
  })

  it("count only existing users while others are removed", async () => {
    const [people, groups] = [await users(60), await segments(3)]
    const leaving = new Set(shuffled(people).slice(0, 30))
    const removals = [...leaving].map((id, turn) => run(coreOf(turn).users.remove(project, id)))
    const additions = Array.from({ length: 12 }, (_, turn) =>
      bulk(turn, shuffled(people), { add_segment_ids: shuffled(groups) }),
    )
    const answers = await Promise.all(additions)
    await Promise.all(removals)
    const all = await bulk(0, people, { add_segment_ids: groups })
    expect(all.updated).toBe(30)
    expect(new Set(all.failed.map(({ user_id }) => user_id))).toEqual(leaving)
    // Only members who are removed still count, until the segment is evaluated.
    const most = Math.max(...answers.map(({ updated }) => updated))
    const [first, ...others] = await surplus(groups)
    expect(others).toEqual([first, first])
    expect(first).toBe(most - 30)
  })

  it("keeps the counts right while members are added and removed", async () => {
    const [people, groups] = [await users(30), await segments(2)]
    await Promise.all(
      Array.from({ length: 40 }, (_, turn) =>
        bulk(turn, shuffled(people), { [turn % 2 === 0 ? "add_segment_ids" : "remove_segment_ids"]: shuffled(groups) }),
      ),
    )
    expect(await surplus(groups)).toEqual([0, 0])
    await bulk(0, people, { remove_segment_ids: groups })
    const left = await server.rows<{ user_count: number }>(
      database,
      `select user_count from segments where id in (${groups.map((id) => `'${id}'`).join()})`,
    )
    expect(left).toEqual([{ user_count: 0 }, { user_count: 0 }])
  })

  it("turns a member by rules into one by hand, once", async () => {
    const [people, [group = ""]] = [await users(2), await segments(1)]
    const [ruled = "", added = ""] = people
    const values = `('${group}', '${ruled}', false, '2026-01-01T00:00:00Z')`
    await server.rows(database, `insert into segment_memberships values ${values}`)
    await server.rows(database, `update segments set user_count = 1 where id = '${group}'`)
    await bulk(0, people, { add_segment_ids: [group] })
    const rows = await server.rows<{ id: string; is_manual: boolean; old: boolean }>(
      database,
      `select app_user_id as id, is_manual, added_at = '2026-01-01T00:00:00Z' as old
       from segment_memberships where segment_id = '${group}' order by app_user_id`,
    )
    expect(rows).toEqual(
      [
        { id: ruled, is_manual: true, old: true },
        { id: added, is_manual: true, old: false },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect(await surplus([group])).toEqual([0])
    await bulk(0, [ruled], { remove_segment_ids: [group] })
    expect(await surplus([group])).toEqual([0])
  })

  it("reports one of several first grants as created", async () => {
    const [user = ""] = await users(1)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        run(coreOf(turn).entitlements.grant(project, user, { entitlement_id: "pro", is_active: true })),
      ),
    )
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(answers.map(({ row }) => row.id)).size).toBe(1)
  })

  it("limits properties to the byte", async () => {
    const people = await users(3)
    const [fits = "", over = ""] = people
    const changes = { ключ: '🦊\n"', list: [1, 2, { n: 1e300 }] }
    const room = 65_536 - propertiesBytes({ ...changes, a: "" })
    await bulk(0, [fits], { properties: { a: "x".repeat(room) } })
    await bulk(0, [over], { properties: { a: "x".repeat(room + 1) } })
    expect(await bulk(0, people, { properties: changes })).toEqual({
      updated: 2,
      failed: [{ user_id: over, reason: "PROPERTIES_TOO_LARGE" }],
    })
  })

  it("checks the size of properties under the lock", async () => {
    const people = await users(4)
    const half = (key: string) => ({ properties: { [key]: "x".repeat(40_000) } })
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = await Promise.all([
        bulk(0, people, half(`a${round}`)),
        bulk(1, people.toReversed(), half(`b${round}`)),
      ])
      if (round === 0) expect([one.updated, two.updated].sort()).toEqual([0, 4])
      else expect([one.updated, two.updated]).toEqual([0, 0])
    }
  })
})
