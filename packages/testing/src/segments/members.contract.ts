import type { TenantDb } from "@hearth/core"
import type { Segment } from "@hearth/core/segments"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { aSegment } from "./builders.ts"

const at = new Date("2026-06-01T00:00:00.123Z")

/** What a project promises about members that are added to segments and removed by hand. */
export const segmentMembersContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("members of segments, by hand", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const segment = async (given: Partial<Segment> = {}) => {
      const row = aSegment(given)
      await db.transact((tx) => Effect.orDie(tx.segments.insert(row)))
      return row.id
    }
    const users = async (count: number) => {
      const rows = Array.from({ length: count }, () => aUser())
      await db.transact((tx) => Effect.orDie(Effect.forEach(rows, (row) => tx.users.insert(row), { discard: true })))
      return rows.map(({ id }) => id)
    }
    const locked = (
      segmentIds: ReadonlyArray<string>,
      userIds: ReadonlyArray<string>,
      work: (tx: TenantDb) => Effect.Effect<void>,
    ) =>
      [
        (tx: TenantDb) =>
          Effect.andThen(
            Effect.andThen(tx.users.lockMany(userIds), tx.segmentMembers.lockSegments(segmentIds)),
            work(tx),
          ),
      ] as const
    const add = (segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>) =>
      db.transact(...locked(segmentIds, userIds, (tx) => tx.segmentMembers.add(segmentIds, userIds, at)))
    const remove = (segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>) =>
      db.transact(...locked(segmentIds, userIds, (tx) => tx.segmentMembers.remove(segmentIds, userIds)))
    /** The members of a segment, and its `user_count`. */
    const state = (id: string) =>
      db.read(
        Effect.fnUntraced(function* (tx) {
          const { rows } = yield* tx.users.pageMatching({ search: null, segment_id: id }, { limit: 1_000, offset: 0 })
          const { user_count } = Option.getOrThrow(yield* tx.segments.find({ id }))
          return { members: rows.map((row) => row.id).sort(), user_count }
        }),
      )
    const having = (...members: ReadonlyArray<string>) => ({
      members: [...members].sort(),
      user_count: members.length,
    })

    it("locks the segments that exist, and answers which are system segments", async () => {
      const [plain, system] = [await segment(), await segment({ is_system: true })]
      const lock = (ids: ReadonlyArray<string>) => db.transact((tx) => tx.segmentMembers.lockSegments(ids))
      expect(await lock([system, anId(), plain.toUpperCase(), system])).toEqual([
        { id: plain, is_system: false },
        { id: system, is_system: true },
      ])
      expect(await lock([])).toEqual([])
      expect(died(await db.attempt((tx) => tx.segmentMembers.lockSegments(["17"])))).toBe(true)
    })

    it("adds every user to every segment, and counts them", async () => {
      const [one, two, other] = [await segment(), await segment(), await segment()]
      const [ada = "", bob = "", eve = ""] = await users(3)
      await add([one, two], [bob, ada, bob])
      expect([await state(one), await state(two), await state(other)]).toEqual([
        having(ada, bob),
        having(ada, bob),
        having(),
      ])
      await add([two, two], [eve.toUpperCase()])
      expect([await state(one), await state(two)]).toEqual([having(ada, bob), having(ada, bob, eve)])
    })

    it("counts a user once who is added again", async () => {
      const id = await segment()
      const [ada = "", bob = ""] = await users(2)
      for (const members of [[ada], [ada, bob], [bob, ada]]) await add([id], members)
      expect(await state(id)).toEqual(having(ada, bob))
    })

    it("removes members, and ignores users who are none", async () => {
      const [one, two] = [await segment(), await segment()]
      const [ada = "", bob = "", eve = ""] = await users(3)
      await add([one, two], [ada, bob])
      await remove([one, one, anId()], [ada, eve, ada, anId()])
      expect([await state(one), await state(two)]).toEqual([having(bob), having(ada, bob)])
      await remove([one, two], [ada, bob])
      expect([await state(one), await state(two)]).toEqual([having(), having()])
      await remove([one], [ada])
      expect(await state(one)).toEqual(having())
    })

    it("changes `user_count` by the members added and removed", async () => {
      const id = await segment({ user_count: 7 })
      const [ada = "", bob = ""] = await users(2)
      await add([id], [ada, bob])
      expect((await state(id)).user_count).toBe(9)
      await remove([id], [bob])
      expect((await state(id)).user_count).toBe(8)
    })

    it("changes no column of a segment but `user_count`", async () => {
      const row = aSegment({ name: "Kept", last_evaluated_at: at })
      await db.transact((tx) => Effect.orDie(tx.segments.insert(row)))
      const members = await users(2)
      await add([row.id], members)
      const found = await db.read((tx) => tx.segments.find({ id: row.id }))
      expect(found).toStrictEqual(Option.some({ ...row, user_count: 2 }))
    })

    it("does nothing without users or segments", async () => {
      const id = await segment()
      const [ada = ""] = await users(1)
      await add([], [ada])
      await add([id], [])
      await remove([], [])
      expect(await state(id)).toEqual(having())
    })

    it("dies of a missing segment or user, and changes nothing", async () => {
      const id = await segment()
      const [ada = ""] = await users(1)
      const attempt = (segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>) =>
        db.attempt((tx) => tx.segmentMembers.add(segmentIds, userIds, at))
      expect(died(await attempt([id, anId()], [ada]))).toBe(true)
      expect(died(await attempt([id], [ada, anId()]))).toBe(true)
      expect(await state(id)).toEqual(having())
    })

    it("removes memberships with their user and with their segment", async () => {
      const [one, two] = [await segment(), await segment()]
      const [ada = "", bob = ""] = await users(2)
      await add([one, two], [ada, bob])
      await db.transact((tx) => tx.users.remove({ id: ada }))
      expect((await state(one)).members).toEqual([bob])
      await db.transact((tx) => tx.segments.remove({ id: one }))
      expect((await state(two)).members).toEqual([bob])
      const { rows } = await db.read((tx) =>
        tx.users.pageMatching({ search: null, segment_id: one }, { limit: 10, offset: 0 }),
      )
      expect(rows).toEqual([])
    })

    it("keeps `user_count` right when members are added and removed concurrently", async () => {
      const [one, two] = [await segment(), await segment()]
      const people = await users(6)
      const some = (turn: number) => people.filter((_, index) => (index + turn) % 3 !== 0)
      await Promise.all(
        Array.from({ length: 24 }, (_, turn) => {
          const [segments, members] = [turn % 2 === 0 ? [one, two] : [two, one], some(turn)]
          const order = turn % 4 < 2 ? members : members.toReversed()
          return turn % 3 === 0 ? remove(segments, order) : add(segments, order)
        }),
      )
      for (const id of [one, two]) {
        const { members, user_count } = await state(id)
        expect(user_count).toBe(members.length)
      }
    })
  })
