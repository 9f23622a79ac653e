import type { TenantDb } from "@hearth/core"
import { eventRules, measureKey, type RuleGroup, type Segment, type UserRules } from "@hearth/core/segments"
import { Effect, Exit, Option } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { aSegment } from "./builders.ts"
import { evaluateSegment, fixtureNow, fromNow, parseValidRules, writeUsers } from "./contract-fixtures.ts"

const allUsers = parseValidRules({ operator: "AND", conditions: [] })
const named = (...names: ReadonlyArray<string>) =>
  parseValidRules({ operator: "OR", conditions: names.map((value) => ({ field: "display_name", op: "eq", value })) })

const meanwhile: ReadonlyArray<readonly [string, (id: string) => (tx: TenantDb) => Effect.Effect<unknown>, 1 | null]> =
  [
    ["is changed", (id) => (tx) => Effect.orDie(tx.segments.update(id, { rules: { operator: "NOT" } })), null],
    ["is renamed", (id) => (tx) => Effect.orDie(tx.segments.update(id, { name: "Renamed" })), 1],
    ["is removed", (id) => (tx) => tx.segments.remove({ id }), null],
  ]

/** What a project promises about segments and their members. */
export const segmentsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("segments", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.users.remove({})))

    const segment = async (given: Partial<Segment> = {}) => {
      const row = aSegment(given)
      await db.transact((tx) => Effect.orDie(tx.segments.insert(row)))
      return row.id
    }
    const users = (...names: ReadonlyArray<string>) =>
      writeUsers(
        db,
        names.map((display_name) => ({ user: { display_name } })),
      )
    const evaluate = (id: string, rules: RuleGroup, now = fixtureNow) => evaluateSegment(db, id, rules, now)
    const find = async (id: string) => Option.getOrThrow(await db.read((tx) => tx.segments.find({ id })))
    const memberships = async (id: string, ids: ReadonlyArray<string>) => {
      const found = await db.read((tx) => Effect.forEach(ids, (user) => tx.segments.membership(id, user)))
      return found.map((membership) => Option.getOrNull(membership))
    }
    const isMember = async (id: string, ids: ReadonlyArray<string>) =>
      (await memberships(id, ids)).map((membership) => membership !== null)

    it("have the users whom the rules describe as members, with their count and the time", async () => {
      const ids = await users("al", "bo", "cy")
      const [id, other] = [await segment(), await segment()]
      expect(await evaluate(id, named("al", "cy"))).toBe(2)
      expect(await find(id)).toMatchObject({ user_count: 2, last_evaluated_at: fixtureNow })
      expect(await memberships(id, ids)).toEqual([
        { segment_id: id, app_user_id: ids[0], is_manual: false, added_at: fixtureNow },
        null,
        { segment_id: id, app_user_id: ids[2], is_manual: false, added_at: fixtureNow },
      ])
      expect(await find(other)).toMatchObject({ user_count: 0, last_evaluated_at: null })
      expect(await isMember(other, ids)).toEqual([false, false, false])
    })

    it("keep members who still match, add users who match now and remove the others", async () => {
      const ids = await users("al", "bo", "cy")
      const id = await segment()
      await evaluate(id, named("al", "bo"))
      expect(await evaluate(id, named("bo", "cy"), fromNow(1))).toBe(2)
      expect((await memberships(id, ids)).map((membership) => membership?.added_at ?? null)).toEqual([
        null,
        fixtureNow,
        fromNow(1),
      ])
      expect(await evaluate(id, named(), fromNow(2))).toBe(0)
      expect(await isMember(id, ids)).toEqual([false, false, false])
      expect(await find(id)).toMatchObject({ user_count: 0, last_evaluated_at: fromNow(2) })
    })

    it("keep and count members added by hand until they are removed by hand", async () => {
      const [al = "", bo = "", cy = ""] = await users("al", "bo", "cy")
      const id = await segment()
      await evaluate(id, named("al"))
      await db.transact((tx) => tx.segmentMembers.add([id], [al, bo], fromNow(1)))
      const byHand = await memberships(id, [al, bo])
      expect(byHand.map((membership) => membership?.is_manual)).toEqual([true, true])
      expect(await evaluate(id, named("cy"), fromNow(2))).toBe(3)
      expect(await memberships(id, [al, bo])).toEqual(byHand)
      expect(await evaluate(id, named("al", "cy"), fromNow(3))).toBe(3)
      await db.transact((tx) => tx.segmentMembers.remove([id], [al, bo, cy]))
      expect(await isMember(id, [al, bo, cy])).toEqual([false, false, false])
      expect(await evaluate(id, named("al"), fromNow(4))).toBe(1)
      expect((await memberships(id, [al]))[0]).toMatchObject({ is_manual: false, added_at: fromNow(4) })
    })

    it("write the time of an evaluation also when no member has changed", async () => {
      await users("al")
      const id = await segment()
      await evaluate(id, allUsers)
      expect(await evaluate(id, allUsers, fromNow(5))).toBe(1)
      expect(await find(id)).toMatchObject({ user_count: 1, last_evaluated_at: fromNow(5) })
    })

    it("lose users who are removed", async () => {
      const [al = "", bo = ""] = await users("al", "bo")
      const id = await segment()
      await evaluate(id, allUsers)
      await db.transact((tx) => tx.users.remove({ id: al }))
      expect(await isMember(id, [al, bo])).toEqual([false, true])
      expect(await evaluate(id, allUsers)).toBe(1)
    })

    it("are removed with their memberships", async () => {
      const ids = await users("al")
      const id = await segment()
      await evaluate(id, allUsers)
      expect(await db.transact((tx) => tx.segments.remove({ id }))).toBe(1)
      expect(await isMember(id, ids)).toEqual([false])
      expect(await evaluate(id, allUsers)).toBe(0)
      expect(await isMember(id, ids)).toEqual([false])
    })

    it("are unchanged when the transaction is rolled back", async () => {
      const ids = await users("al")
      const id = await segment()
      const before = await find(id)
      await db.attempt((tx) => Effect.andThen(tx.segments.evaluate(before, allUsers, fixtureNow), Effect.fail("no")))
      expect(await isMember(id, ids)).toEqual([false])
      expect(await find(id)).toMatchObject({ user_count: 0, last_evaluated_at: null })
    })

    it("have the members of one evaluation when two run at the same time", async () => {
      const names = Array.from({ length: 30 }, (_, at) => `user ${at}`)
      const ids = await users(...names)
      const id = await segment()
      const halves = [names.slice(0, 20), names.slice(10)] as const
      for (let round = 0; round < 5; round += 1) {
        const counts = await Promise.all([0, 1, 0, 1].map((half) => evaluate(id, named(...(halves[half] ?? [])))))
        expect(counts).toEqual([20, 20, 20, 20])
        const member = await isMember(id, ids)
        const [first, second] = halves.map((half) => names.map((name) => half.includes(name)))
        expect([first, second]).toContainEqual(member)
        expect((await find(id)).user_count).toBe(20)
      }
    })

    it("are evaluated by one transaction at a time, which locks no segment and makes nobody wait", async () => {
      const [id, other] = [await segment(), await segment()]
      const [one, two, three] = [beginOn(db), beginOn(db), beginOn(db)]
      expect(await one.step((tx) => tx.segments.lockEvaluation(id))).toEqual(Exit.succeed(true))
      expect(await one.step((tx) => tx.segments.lockEvaluation(id.toUpperCase()))).toEqual(Exit.succeed(true))
      expect(await two.step((tx) => tx.segments.lockEvaluation(id.toUpperCase()))).toEqual(Exit.succeed(false))
      expect(await two.step((tx) => tx.segments.lockEvaluation(other))).toEqual(Exit.succeed(true))
      const renamed = await three.step((tx) => Effect.orDie(tx.segments.update(id, { name: "Renamed" })))
      expect(Exit.isSuccess(renamed)).toBe(true)
      await one.rollBack()
      expect(await two.step((tx) => tx.segments.lockEvaluation(id))).toEqual(Exit.succeed(true))
      await Promise.all([two.commit(), three.commit()])
    })

    it("get nothing of rules that have changed since, nor of a segment that is gone", async () => {
      const ids = await users("al", "bo")
      const id = await segment()
      await evaluate(id, named("al"))
      const before = await find(id)
      await db.transact((tx) => Effect.orDie(tx.segments.update(id, { rules: { operator: "OR", conditions: [] } })))
      const late = () => db.transact((tx) => tx.segments.evaluate(before, named("bo"), fromNow(1)))
      expect(await late()).toBeNull()
      expect(await isMember(id, ids)).toEqual([true, false])
      expect(await find(id)).toMatchObject({ user_count: 1, last_evaluated_at: fixtureNow })
      await db.transact((tx) => tx.segments.remove({ id }))
      expect(await late()).toBeNull()
    })

    it.each(meanwhile)("are written under the lock of the segment, which %s meanwhile", async (_, change, expected) => {
      await users("al")
      const id = await segment()
      const before = await find(id)
      const [one, two] = [beginOn(db), beginOn(db)]
      await one.step(change(id))
      const evaluated = two.step((tx) => tx.segments.evaluate(before, named("al"), fromNow(1)))
      expect(await isWaiting(evaluated)).toBe(true)
      await one.commit()
      expect(await evaluated).toEqual(Exit.succeed(expected))
      expect(Exit.isSuccess(await two.commit())).toBe(true)
    })

    it("keep what is added and removed by hand while they are evaluated", async () => {
      const [al = "", bo = "", cy = ""] = await users("al", "bo", "cy")
      const id = await segment()
      await evaluate(id, named("al", "bo"))
      const [one, two, before] = [beginOn(db), beginOn(db), await find(id)]
      await one.step((tx) =>
        tx.users
          .lockMany([al, bo, cy])
          .pipe(
            Effect.andThen(tx.segmentMembers.lockSegments([id])),
            Effect.andThen(tx.segmentMembers.add([id], [al, cy], fromNow(1))),
            Effect.andThen(tx.segmentMembers.remove([id], [bo])),
          ),
      )
      const evaluated = two.step((tx) => tx.segments.evaluate(before, named("cy"), fromNow(2)))
      expect(await isWaiting(evaluated)).toBe(true)
      await one.commit()
      expect(await evaluated).toEqual(Exit.succeed(2))
      await two.commit()
      expect(await isMember(id, [al, bo, cy])).toEqual([true, false, true])
      expect(await find(id)).toMatchObject({ user_count: 2, last_evaluated_at: fromNow(2) })
    })

    it("allow users to be removed during an evaluation", async () => {
      const id = await segment()
      for (let round = 0; round < 5; round += 1) {
        const ids = await users("al", "bo", "cy", "di")
        const half = ids.slice(0, 2)
        await Promise.all([
          evaluate(id, round % 2 === 0 ? allUsers : named("cy")),
          ...half.map((gone) => db.transact((tx) => tx.users.remove({ id: gone }))),
        ])
        expect(await isMember(id, half)).toEqual([false, false])
      }
      const left = await db.read((tx) => tx.users.list({}, []))
      expect(await evaluate(id, allUsers)).toBe(left.length)
    })

    it("are previewed: how many users, and the most recently seen of them", async () => {
      const seen = [fromNow(-2), fromNow(-1), fromNow(-3), fromNow(-1)]
      const ids = await writeUsers(
        db,
        seen.map((last_seen_at) => ({ user: { last_seen_at } })),
      )
      const preview = async (sampleSize: number, rules = allUsers) => {
        const { user_count, sample } = await db.read((tx) => tx.segments.preview(rules, fixtureNow, sampleSize))
        return [user_count, sample.map((user) => ids.indexOf(user.id))]
      }
      expect(await preview(10)).toEqual([4, [1, 3, 0, 2]])
      expect(await preview(2)).toEqual([4, [1, 3]])
      expect(await preview(0)).toEqual([4, []])
      expect(await preview(10, named())).toEqual([0, []])
      const { sample } = await db.read((tx) => tx.segments.preview(allUsers, fixtureNow, 10))
      const rows = await db.read((tx) => tx.users.list({}, [["last_seen_at", "desc"]]))
      expect(sample).toStrictEqual(rows)
    })

    it("measure the events of each user for the rules of that user, both ends included", async () => {
      const at = (...millis: ReadonlyArray<number>) =>
        millis.map((one) => ({ event_name: "a", occurred_at: fromNow(one), properties: { n: 1.5 } }))
      const minute = 60_000
      const events = [...at(-minute - 1, -minute, 0, 1), { event_name: "A", occurred_at: fixtureNow }]
      const [user = "", other = ""] = await writeUsers(db, [{ events }, { events: at(0) }])
      const leaves = [
        { event: "a", count: 1 },
        { event: "a", count: 1, within: "1m" },
        { event: "A", count: 1 },
        { event: "b", count: 1 },
        { event: "a", sum: { property: "n", value: 1 }, where: { field: "properties.n", op: "exists" } },
      ]
      const trees = leaves.map((leaf) => parseValidRules(leaf))
      const keys = trees.flatMap(eventRules).map(measureKey)
      const read = async (...users: ReadonlyArray<UserRules>) => {
        const found = await db.read((tx) => tx.ruleFacts.read(users, fixtureNow))
        return new Map(
          found.map(({ user: { id }, events: measured }) => [id, keys.map((key) => measured.get(key) ?? 0)]),
        )
      }
      const first = parseValidRules(leaves[0] ?? {})
      expect(await read({ user_id: user, rules: trees }, { user_id: other, rules: [first] })).toEqual(
        new Map([
          [user, [4, 2, 1, 0, 6]],
          [other, [1, 0, 0, 0, 0]],
        ]),
      )
      expect(await read({ user_id: user, rules: [] }, { user_id: anId(), rules: trees })).toEqual(
        new Map([[user, [0, 0, 0, 0, 0]]]),
      )
      expect(await read()).toEqual(new Map())
    })

    it("measure more kinds of rules than one statement has parts", async () => {
      const events = Array.from({ length: 5 }, (_, n) => ({
        event_name: "n",
        occurred_at: fixtureNow,
        properties: { n },
      }))
      const [user_id = ""] = await writeUsers(db, [{ events }])
      const rules = Array.from({ length: 120 }, (_, value) =>
        parseValidRules({ event: "n", count: 1, where: { field: "properties.n", op: "lte", value: value - 58 } }),
      )
      const [facts] = await db.read((tx) => tx.ruleFacts.read([{ user_id, rules }], fixtureNow))
      const measured = rules.flatMap(eventRules).map((rule) => facts?.events.get(measureKey(rule)) ?? 0)
      expect(measured).toEqual(rules.map((_, value) => Math.min(5, Math.max(0, value - 57))))
    })
  })
