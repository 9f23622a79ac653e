import type { TenantDb } from "@hearth/core"
import { parseRules, type RuleGroup } from "@hearth/core/segments"
import { aSegment, aUser } from "@hearth/testing"
import { tenantDatabase } from "@hearth/testing/contracts"
import { Effect, Option, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ids, type TestServer, testServer } from "../server.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const later = new Date("2026-03-01T12:15:00.000Z")

const named = (...names: ReadonlyArray<string>): RuleGroup =>
  Result.getOrThrow(
    parseRules({
      operator: "OR",
      conditions: names.map((value) => ({ field: "display_name", op: "eq", value })),
    }),
  )

type Db = ReturnType<typeof tenantDatabase>

/** Evaluates a segment as the core does, and waits for its turn. */
const evaluateOn = async (db: Db, id: string, rules: RuleGroup, at: Date): Promise<number | null> => {
  const count = await db.transact(
    Effect.fnUntraced(function* (tx: TenantDb) {
      if (!(yield* tx.segments.lockEvaluation(id))) return "busy"
      return yield* tx.segments.evaluate(Option.getOrThrow(yield* tx.segments.find({ id })), rules, at)
    }),
  )
  return count === "busy" ? evaluateOn(db, id, rules, at) : count
}

describe("evaluating a segment on PostgreSQL", () => {
  let server: TestServer
  let database: string
  let nodes: readonly [Db, Db]
  beforeAll(async () => {
    server = testServer()
    const [one, other] = [await server.open(), await server.open()]
    const project = await server.project(one)
    database = server.databaseOf(project)
    nodes = [tenantDatabase(one.tenants, project), tenantDatabase(other.tenants, project)]
  })
  afterAll(() => server.close())

  const users = async (...names: ReadonlyArray<string>) => {
    const rows = names.map((display_name) => aUser({ id: ids.uuid(), anonymous_id: ids.uuid(), display_name }))
    await nodes[0].transact((tx) => Effect.orDie(Effect.forEach(rows, (row) => tx.users.insert(row))))
    return rows.map(({ id }) => id)
  }
  const segment = async () => {
    const row = aSegment({ id: ids.uuid() })
    await nodes[0].transact((tx) => Effect.orDie(tx.segments.insert(row)))
    return row.id
  }
  const evaluate = (id: string, rules: RuleGroup, at = now, node = nodes[0]) => evaluateOn(node, id, rules, at)
  const byHand = (id: string, user: string) =>
    server.rows(database, `insert into segment_memberships values ('${id}', '${user}', true, '2025-01-01T00:00:00Z')`)
  /** Every member with the version of its row, which changes with each write, also of equal values. */
  const members = (id: string) =>
    server.rows<{ readonly app_user_id: string; readonly is_manual: boolean; readonly version: string }>(
      database,
      `select app_user_id, is_manual, ctid || ' ' || xmin || ' ' || xmax as version
       from segment_memberships where segment_id = '${id}' order by app_user_id`,
    )
  const idsOf = async (id: string) => (await members(id)).map((member) => member.app_user_id)

  it("writes no membership when nothing has changed", async () => {
    await users("al", "bo")
    const id = await segment()
    await evaluate(id, named("al", "bo"))
    const before = await members(id)
    expect(before.length).toBe(2)
    expect(await evaluate(id, named("al", "bo"), later)).toBe(2)
    expect(await members(id)).toEqual(before)
  })

  it("writes only memberships that differ", async () => {
    const [cy, di, ed] = await users("cy", "di", "ed")
    const id = await segment()
    await evaluate(id, named("cy", "di"))
    const before = await members(id)
    await evaluate(id, named("di", "ed"), later)
    const after = await members(id)
    expect(after.map((member) => member.app_user_id)).toEqual([di, ed])
    expect(after[0]).toEqual(before.find((member) => member.app_user_id === di))
    expect(before.map((member) => member.app_user_id)).toEqual([cy, di])
  })

  it("keeps and counts members added by hand, unchanged", async () => {
    const [fay = "", gil = "", hal = ""] = await users("fay", "gil", "hal")
    const id = await segment()
    await byHand(id, fay)
    await byHand(id, gil)
    const before = await members(id)
    expect(await evaluate(id, named("gil", "hal"))).toBe(3)
    expect((await members(id)).slice(0, 2)).toEqual(before)
    expect(await evaluate(id, named(), later)).toBe(2)
    expect(await members(id)).toEqual(before)
    expect(await idsOf(id)).not.toContain(hal)
    const found = await nodes[0].read((tx) => tx.segments.find({ id }))
    expect(Option.getOrThrow(found)).toMatchObject({ user_count: 2, last_evaluated_at: later })
  })

  it("runs concurrent evaluations one after the other", async () => {
    const [ivy, jo] = await users("ivy", "jo")
    const id = await segment()
    for (let round = 0; round < 10; round += 1) {
      const counts = await Promise.all([
        evaluate(id, named("ivy"), now, nodes[0]),
        evaluate(id, named("jo", "ivy"), now, nodes[1]),
      ])
      expect(counts).toEqual([1, 2])
      expect([[ivy], [ivy, jo]]).toContainEqual(await idsOf(id))
    }
  })

  it("has a longer timeout than other calls, and does not change theirs", async () => {
    const hurried = await server.open({ statementMillis: 1_500 })
    const project = await server.project(hurried)
    const db = tenantDatabase(hurried.tenants, project)
    const made = aSegment({ id: ids.uuid() })
    const user = aUser({ id: ids.uuid(), anonymous_id: ids.uuid(), display_name: "kim" })
    await db.transact((tx) => Effect.orDie(Effect.andThen(tx.users.insert(user), tx.segments.insert(made))))
    /** Runs `work` while another connection locks the user for longer than the timeout of a call. */
    const whileLocked = async <A>(work: () => Promise<A>): Promise<A> => {
      const other = server.databaseOf(project)
      const holding = server.rows(other, "begin; select from app_users for update; select pg_sleep(4) as held; commit")
      const sleeps = "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
      await expect.poll(() => server.rows(other, sleeps)).toHaveLength(1)
      const answer = await work()
      await holding
      return answer
    }
    const evaluated = await whileLocked(() => db.transact((tx) => tx.segments.evaluate(made, named("kim"), now)))
    expect(evaluated).toBe(1)
    const refused = await whileLocked(() => db.attempt((tx) => tx.users.lock(user.id)))
    expect(refused._tag).toBe("Failure")
  })

  it("lets others change the segment and its users while it looks for them, and drops the result of old rules", async () => {
    const [lee = ""] = await users("lee")
    const [changed, renamed, removed] = [await segment(), await segment(), await segment()]
    const rules = Result.getOrThrow(
      parseRules({ operator: "AND", conditions: [{ event: "none", op: "eq", count: 0 }] }),
    )
    // The evaluations stop where they read events, as if that took long.
    const gate = await server.session(database)
    await gate.run("begin; lock table engagement_events in access exclusive mode")
    const running = [changed, renamed, removed].map((id) => evaluate(id, rules))
    await expect.poll(() => server.waiting(database)).toBe(3)
    const [one, two] = nodes
    const tried = await two.transact((tx) => tx.segments.lockEvaluation(renamed))
    await one.transact((tx) => Effect.orDie(tx.segments.update(changed, { rules: { operator: "OR", conditions: [] } })))
    await one.transact((tx) =>
      Effect.andThen(tx.segments.lock(renamed), Effect.orDie(tx.segments.update(renamed, { name: "R" }))),
    )
    await one.transact((tx) => tx.segments.remove({ id: removed }))
    await one.transact((tx) => Effect.orDie(tx.users.update(lee, { display_name: "Lee" })))
    await two.transact((tx) =>
      tx.users
        .lockMany([lee])
        .pipe(
          Effect.andThen(tx.segmentMembers.lockSegments([renamed])),
          Effect.andThen(tx.segmentMembers.add([renamed], [lee], later)),
        ),
    )
    expect(tried).toBe(false)
    expect(await server.waiting(database)).toBe(3)
    await gate.run("commit")
    await gate.end()
    const counts = await Promise.all(running)
    expect(counts).toEqual([null, expect.any(Number), null])
    expect(await idsOf(changed)).toEqual([])
    const found = await one.read((tx) => tx.segments.find({ id: renamed }))
    expect(Option.getOrThrow(found)).toMatchObject({ name: "R", last_evaluated_at: now, user_count: counts[1] })
    const all = await members(renamed)
    expect(all).toHaveLength(counts[1] ?? 0)
    expect(all.find((member) => member.app_user_id === lee)?.is_manual).toBe(true)
  })

  it("does not deadlock with bulk updates", async () => {
    const people = await users(...Array.from({ length: 60 }, () => "bulk"))
    const ids = [await segment(), await segment()]
    const bulk = (turn: number) =>
      nodes[1].transact((tx) =>
        tx.users
          .lockMany(people.slice(turn, turn + 30))
          .pipe(
            Effect.andThen(tx.segmentMembers.lockSegments(ids)),
            Effect.andThen(
              tx.segmentMembers[turn % 2 === 0 ? "add" : "remove"](ids, people.slice(turn, turn + 30), now),
            ),
          ),
      )
    for (let round = 0; round < 15; round += 1) {
      const rules = round % 2 === 0 ? named("bulk") : named()
      await Promise.all([...ids.map((id) => evaluate(id, rules)), bulk(round), bulk(round + 1)])
    }
    for (const id of ids) {
      const found = await nodes[0].read((tx) => tx.segments.find({ id }))
      expect(Option.getOrThrow(found).user_count).toBe((await members(id)).length)
    }
  })

  it("does not deadlock with removals of users", async () => {
    const id = await segment()
    for (let round = 0; round < 15; round += 1) {
      // The users who leave and enter the segment are removed at the same time.
      await users(...Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? "leaves" : "enters")))
      await evaluate(id, named("leaves"))
      const [count] = await Promise.all([
        evaluate(id, named("enters"), now, nodes[0]),
        nodes[1].transact((tx) => tx.users.remove({ avatar_url: null })),
      ])
      expect([0, 100]).toContain(count)
      expect(await idsOf(id)).toEqual([])
    }
  })
})
