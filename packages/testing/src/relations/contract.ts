import type { TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { aUser } from "../users/builders.ts"
import { writeUser } from "../users/tables.ts"
import { aBlock, aFollow } from "./tables.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)
const all = { limit: 50, offset: 0 }

const useDatabase = (open: Open) => {
  let db: DatabaseUnderTest<TenantDb>
  beforeAll(async () => {
    db = await open()
  })
  const user = () => db.transact(writeUser)
  return {
    read: <A>(work: (tx: TenantDb) => Effect.Effect<A>) => db.read(work),
    change: <A>(work: (tx: TenantDb) => Effect.Effect<A, unknown>) => db.transact((tx) => Effect.orDie(work(tx))),
    begin: () => beginOn(db),
    user,
    users: (count: number) => Promise.all(Array.from({ length: count }, user)),
  }
}

/** What a project promises about its follows, beyond the table. */
export const followsContract = (open: Open) =>
  describe("follows", () => {
    const { read, change, user, users, begin } = useDatabase(open)
    const follow = (follower_id: string, followed_id: string, created_at = at(0)) => {
      const row = aFollow({ follower_id, followed_id, created_at })
      return change((db) => db.follows.insert(row)).then(() => row)
    }
    const followers = (id: string) => read((db) => db.follows.pageOfUser(id, "followers", all))

    it("are listed with the other user, the latest first, by greater id at one instant [I4.3]", async () => {
      const ada = aUser({ display_name: "Ada", avatar_url: "https://example.com/a.png" })
      await change((db) => db.users.insert(ada))
      const [bob, eve] = [await user(), await user()] as const
      await follow(bob, ada.id, at(2))
      await follow(bob, eve, at(1))
      await follow(eve, ada.id, at(2))
      const ids = async (id: string, direction: "following" | "followers", slice = all) => {
        const { rows, total } = await read((db) => db.follows.pageOfUser(id, direction, slice))
        return [rows.map((row) => row.id), total]
      }
      expect(await ids(bob, "following")).toEqual([[ada.id, eve], 2])
      expect(await ids(ada.id, "followers")).toEqual([[eve, bob], 2])
      expect(await ids(ada.id, "followers", { limit: 1, offset: 1 })).toEqual([[bob], 2])
      expect(await ids(ada.id, "followers", { limit: 1, offset: 9 })).toEqual([[], 2])
      expect(await ids(ada.id, "following")).toEqual([[], 0])
      expect(await ids(anId(), "following")).toEqual([[], 0])
      expect((await read((db) => db.follows.pageOfUser(bob, "following", all))).rows[0]).toStrictEqual({
        ...{ id: ada.id, display_name: "Ada", avatar_url: "https://example.com/a.png", created_at: at(2) },
      })
      expect(await read((db) => db.follows.count(bob))).toBe(2)
      expect(await read((db) => db.follows.count(anId()))).toBe(0)
    })

    it("end between two users both ways, and with nobody else [I3.2]", async () => {
      const [ada, bob, eve] = (await users(3)) as [string, string, string]
      const kept = await Promise.all([follow(ada, eve), follow(eve, bob)])
      await Promise.all([follow(ada, bob), follow(bob, ada)])
      await change((db) => db.follows.removeBetween(ada, bob))
      await change((db) => db.follows.removeBetween(ada, anId()))
      for (const { id } of kept) expect(await read((db) => db.follows.list({ id }, []))).toHaveLength(1)
      expect((await followers(ada)).total).toBe(0)
      expect((await followers(bob)).rows.map(({ id }) => id)).toEqual([eve])
    })

    it("go with either user", async () => {
      const [ada, bob, eve] = (await users(3)) as [string, string, string]
      await Promise.all([follow(ada, bob), follow(bob, eve), follow(ada, eve)])
      await change((db) => db.users.remove({ id: bob }))
      expect((await followers(eve)).rows.map(({ id }) => id)).toEqual([ada])
      expect(await read((db) => db.follows.count(ada))).toBe(1)
    })

    it("are removed in pieces, of either way, and those of others stay [I0.4]", async () => {
      const [ada, ...others] = (await users(6)) as [string, ...ReadonlyArray<string>]
      for (const other of others) {
        await follow(ada, other)
        await follow(other, ada)
      }
      const kept = await follow(others[0] ?? "", others[1] ?? "")
      const remove = () => change((db) => db.follows.removeSome(ada, 4))
      expect([await remove(), await remove(), await remove(), await remove()]).toEqual([4, 4, 2, 0])
      expect(await read((db) => db.follows.list({ id: kept.id }, []))).toHaveLength(1)
    })

    it("are passed over where somebody else removes them", async () => {
      const [ada, bob] = (await users(2)) as [string, string]
      const row = await follow(ada, bob)
      const first = begin()
      await first.step((db) => db.follows.lock(row.id, "update"))
      expect(await change((db) => db.follows.removeSome(ada, 4))).toBe(0)
      await first.rollBack()
      expect(await change((db) => db.follows.removeSome(bob, 4))).toBe(1)
    })
  })

/** What a project promises about its blocks, beyond the table. */
export const blocksContract = (open: Open) =>
  describe("blocks", () => {
    const { read, change, user, users, begin } = useDatabase(open)
    const block = (blocker_id: string, blocked_id: string, created_at = at(0)) =>
      change((db) => db.blocks.insert(aBlock({ blocker_id, blocked_id, created_at })))

    it("are listed for the one who made them, the latest first [I4.3]", async () => {
      const [ada, bob, eve] = (await users(3)) as [string, string, string]
      await block(ada, bob, at(1))
      await block(ada, eve, at(2))
      await block(bob, ada)
      const { rows, total } = await read((db) => db.blocks.pageOfUser(ada, all))
      expect([rows.map(({ id }) => id), rows.map(({ created_at }) => created_at), total]).toEqual([
        ...[[eve, bob], [at(2), at(1)], 2],
      ])
      expect(rows[0]).toStrictEqual({
        ...{ id: eve, display_name: expect.any(String), avatar_url: null, created_at: at(2) },
      })
      expect((await read((db) => db.blocks.pageOfUser(ada, { limit: 1, offset: 1 }))).rows).toEqual([rows[1]])
      expect((await read((db) => db.blocks.pageOfUser(eve, all))).total).toBe(0)
      expect(await read((db) => db.blocks.count(ada))).toBe(2)
      expect(await read((db) => db.blocks.count(eve))).toBe(0)
    })

    it("are found among others whoever of the two made them [I4.3]", async () => {
      const [ada, bob, eve, dan, tom] = (await users(5)) as [string, string, string, string, string]
      await block(ada, bob)
      await block(eve, ada)
      await block(ada, dan)
      await block(dan, ada)
      await block(bob, eve)
      const amongst = (id: string, ...ids: ReadonlyArray<string>) => read((db) => db.blocks.amongst(id, ids))
      expect(await amongst(ada, bob, eve, dan, tom, tom, anId())).toEqual(new Set([bob, eve, dan]))
      expect(await amongst(ada, bob.toUpperCase(), bob)).toEqual(new Set([bob]))
      expect(await amongst(bob, eve, ada)).toEqual(new Set([ada, eve]))
      expect(await amongst(tom, ada, bob, eve, dan, tom)).toEqual(new Set())
      expect(await amongst(ada)).toEqual(new Set())
    })

    it("are found between any of some and any of others [I4.3]", async () => {
      const [ada, bob, eve, tom] = (await users(4)) as [string, string, string, string]
      await block(eve, bob)
      const between = (ids: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
        read((db) => db.blocks.between(ids, others))
      expect(await between([ada, bob], [ada, bob, eve])).toBe(true)
      expect(await between([eve], [ada, bob.toUpperCase()])).toBe(true)
      expect(await between([ada, bob, tom], [ada, bob, tom, anId()])).toBe(false)
      expect(await between([ada, tom], [bob, eve])).toBe(false)
      expect(await between([], [bob, eve])).toBe(false)
      expect(await between([bob], [])).toBe(false)
    })

    it("go with either user, in pieces where there are many [I0.4]", async () => {
      const [ada, bob, eve] = (await users(3)) as [string, string, string]
      await block(ada, bob)
      await block(eve, bob)
      await block(ada, eve)
      expect(await change((db) => db.blocks.removeSome(bob, 1))).toBe(1)
      await change((db) => db.users.remove({ id: bob }))
      expect(await read((db) => db.blocks.amongst(ada, [bob, eve]))).toEqual(new Set([eve]))
      expect(await read((db) => db.blocks.count(eve))).toBe(0)
    })

    it("wait for whoever has locked both users, so that they come before or after", async () => {
      const [ada, bob] = (await users(2)) as [string, string]
      const first = begin()
      await first.step((db) => db.users.lock(ada, "no key update"))
      await first.step((db) => db.users.lock(bob, "share"))
      const second = change((db) => db.users.lock(bob, "no key update"))
      expect(await isWaiting(second)).toBe(true)
      const third = await user()
      expect(
        await isWaiting(
          change((db) => db.users.lock(third, "no key update")),
          false,
        ),
      ).toBe(false)
      expect(
        await isWaiting(
          change((db) => db.users.lock(bob, "share")),
          false,
        ),
      ).toBe(false)
      await first.commit()
      await second
    })
  })
