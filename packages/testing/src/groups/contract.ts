import type { TenantDb } from "@hearth/core"
import type { GroupMemberRow, GroupRow } from "@hearth/core/groups"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardInstant, awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { beginOn } from "../contracts/interleaving.harness.ts"
import { aUser } from "../users/builders.ts"
import { writeUser } from "../users/tables.ts"
import { aGroup, aGroupInvite, aGroupMember } from "./builders.ts"
import { writeGroup } from "./tables.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const all = { limit: 1_000, offset: 0 }
const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

/** What a project promises about finding groups. */
export const groupsContract = (open: Open) =>
  describe("groups", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const write = async (given: Partial<GroupRow>) => {
      const group = aGroup(given)
      await db.transact((tx) => Effect.orDie(tx.groups.insert(group)))
      return group
    }
    const search = (text: string, slice = all) => db.read((tx) => tx.groups.search(text, slice))

    it("are found by a part of their name in any case, those that everybody sees, the newest first", async () => {
      await db.transact((tx) => tx.groups.remove({}))
      const [old, young, twin] = [
        await write({ name: "Runners of Árhus", created_at: day(1) }),
        await write({ name: "early RUNNERS", created_at: day(2) }),
        await write({ name: "runner", created_at: day(2) }),
      ]
      await write({ name: "hidden runners", is_public: false })
      await write({ name: "held runners", moderation: "held" })
      await write({ name: "rejected runners", moderation: "rejected" })
      await write({ name: "Swimmers", created_at: day(3) })
      const found = { rows: [twin, young, old], total: 3 }
      expect(await search("RUNNER")).toStrictEqual(found)
      expect(await search("RUNNER", { limit: 1, offset: 1 })).toStrictEqual({ rows: [young], total: 3 })
      expect(await search("RUNNER", { limit: 5, offset: 7 })).toStrictEqual({ rows: [], total: 3 })
      expect((await search("áRHUS")).rows).toStrictEqual([old])
      expect((await search("")).total).toBe(4)
    })

    it("are searched for without wildcards", async () => {
      await db.transact((tx) => tx.groups.remove({}))
      const odd = await write({ name: awkwardText })
      await write({ name: "plain" })
      for (const text of ["%", "_", "\\", awkwardText]) expect((await search(text)).rows).toStrictEqual([odd])
      expect((await search("a%n")).rows).toEqual([])
    })

    it("are listed by member, the last joined first, and counted", async () => {
      const [user, other] = [await db.transact(writeUser), await db.transact(writeUser)]
      const [one, two] = [await write({ owner_id: user }), await write({ owner_id: other, is_public: false })]
      const join = (group: GroupRow, given: Partial<GroupMemberRow>, app_user_id = user) =>
        db.transact((tx) => tx.groupMembers.add(aGroupMember({ group_id: group.id, app_user_id, ...given })))
      await join(one, { is_admin: true, joined_at: day(1) })
      await join(two, { joined_at: day(2) })
      await join(two, { is_admin: true }, other)
      const [first, second] = [
        { group: { ...two, member_count: 2 }, is_admin: false },
        { group: { ...one, member_count: 1 }, is_admin: true },
      ]
      const page = (userId: string, slice = all) => db.read((tx) => tx.groups.pageOfUser(userId, slice))
      expect(await page(user)).toStrictEqual({ rows: [first, second], total: 2 })
      expect(await page(user, { limit: 1, offset: 1 })).toStrictEqual({ rows: [second], total: 2 })
      expect(await page(user, { limit: 1, offset: 2 })).toStrictEqual({ rows: [], total: 2 })
      expect(await page(anId())).toStrictEqual({ rows: [], total: 0 })
      const own = await db.read((tx) => tx.groupMembers.listOfUser(user))
      expect(own).toMatchObject([
        { member: { group_id: two.id, app_user_id: user, is_admin: false, joined_at: day(2) }, owner_id: other },
        { member: { group_id: one.id, app_user_id: user, is_admin: true, joined_at: day(1) }, owner_id: user },
      ])
      const counts = (userId: string) => db.read((tx) => tx.groups.countsOf(userId))
      expect(await counts(user)).toEqual({ owned: 1, memberships: 2 })
      expect(await counts(anId())).toEqual({ owned: 0, memberships: 0 })
    })
  })

/** What a project promises about the members of groups. */
export const groupMembersContract = (open: Open) =>
  describe("members of groups", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const add = (row: GroupMemberRow) => db.transact((tx) => tx.groupMembers.add(row))
    const group = () => db.transact((tx) => writeGroup(tx))
    const count = async (id: string) => Option.getOrThrow(await db.read((tx) => tx.groups.find({ id }))).member_count

    it("are stored, and counted in the group", async () => {
      const [group_id, ada, bob] = [await group(), await db.transact(writeUser), await db.transact(writeUser)]
      const row = aGroupMember({ group_id, app_user_id: ada, is_admin: true, joined_at: awkwardInstant })
      await add(row)
      await add(aGroupMember({ group_id, app_user_id: bob }))
      expect(await count(group_id)).toBe(2)
      const found = () => db.read((tx) => tx.groupMembers.find({ group_id, app_user_id: ada }))
      expect(await found()).toStrictEqual(Option.some(row))
      await db.transact((tx) => Effect.orDie(tx.groupMembers.update(row.id, { is_admin: false })))
      expect(await found()).toStrictEqual(Option.some({ ...row, is_admin: false }))
      const remove = () => db.transact((tx) => tx.groupMembers.remove(group_id, ada))
      expect(await remove()).toBe(true)
      expect(await remove()).toBe(false)
      expect(await found()).toStrictEqual(Option.none())
      expect(await count(group_id)).toBe(1)
    })

    it("are members once, of groups and users that are there, and go with them", async () => {
      const [group_id, app_user_id] = [await group(), await db.transact(writeUser)]
      const attempt = (given: Partial<GroupMemberRow>) =>
        db.attempt((tx) => tx.groupMembers.add(aGroupMember({ group_id, app_user_id, ...given })))
      expect(died(await attempt({ group_id: anId() }))).toBe(true)
      expect(died(await attempt({ app_user_id: anId() }))).toBe(true)
      expect(await count(group_id)).toBe(0)
      await add(aGroupMember({ group_id, app_user_id }))
      expect(died(await attempt({}))).toBe(true)
      expect(await count(group_id)).toBe(1)
      await db.transact((tx) => tx.groups.remove({ id: group_id }))
      expect(await db.read((tx) => tx.groupMembers.list({ app_user_id }, []))).toEqual([])
    })

    it("are counted right, however many come and go at once", async () => {
      const group_id = await group()
      const users = await Promise.all(Array.from({ length: 12 }, () => db.transact(writeUser)))
      const act = (userId: string, work: (tx: TenantDb) => Effect.Effect<unknown>) =>
        db.transact((tx) =>
          tx.users.lock(userId).pipe(Effect.andThen(tx.groups.lock(group_id)), Effect.andThen(work(tx))),
        )
      await Promise.all(
        users.map((app_user_id) =>
          act(app_user_id, (tx) => tx.groupMembers.add(aGroupMember({ group_id, app_user_id }))),
        ),
      )
      expect(await count(group_id)).toBe(12)
      await Promise.all(users.slice(3).map((userId) => act(userId, (tx) => tx.groupMembers.remove(group_id, userId))))
      expect(await count(group_id)).toBe(3)
    })

    it("are listed with who they are, those who joined first before others", async () => {
      const group_id = await group()
      const people = [
        aUser({ display_name: awkwardText, avatar_url: "https://example.com/a" }),
        aUser({ email: "ada@example.com" }),
        aUser(),
      ]
      await db.transact((tx) => Effect.orDie(Effect.forEach(people, (user) => tx.users.insert(user))))
      const joined = [day(3), day(1), day(1)]
      const rows = people.map(({ id }, at) =>
        aGroupMember({ group_id, app_user_id: id, joined_at: joined[at] as Date }),
      )
      for (const row of rows) await add(row)
      const list = (slice = all) => db.read((tx) => tx.groupMembers.listWithUsers(group_id, slice))
      const expected = [1, 2, 0].map((at) => {
        const { id, display_name, avatar_url } = people[at] as (typeof people)[0]
        return { member: rows[at], user: { id, display_name, avatar_url } }
      })
      expect(await list()).toStrictEqual(expected)
      expect(await list({ limit: 1, offset: 1 })).toStrictEqual([expected[1]])
      expect(await list({ limit: 1, offset: 3 })).toStrictEqual([])
    })
  })

/** What a project promises about invites. */
export const groupInvitesContract = (open: Open) =>
  describe("invites into groups", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const now = day(10)
    const group = () => db.transact((tx) => writeGroup(tx))
    const user = () => db.transact(writeUser)
    const write = async (given: Parameters<typeof aGroupInvite>[0]) => {
      const invite = aGroupInvite({ expires_at: day(11), ...given })
      expect(await db.transact((tx) => tx.groupInvites.insertNew(invite))).toBe(true)
      return invite
    }
    const live = async (groupId: string, slice = all) => {
      const { rows, total } = await db.read((tx) => tx.groupInvites.pageLive(groupId, now, slice))
      return [ids(rows), total]
    }

    it("are written once per code", async () => {
      const [group_id, created_by] = [await group(), await user()]
      const { code } = await write({ group_id, created_by })
      const second = aGroupInvite({ group_id, created_by, code })
      expect(await db.transact((tx) => tx.groupInvites.insertNew(second))).toBe(false)
      expect(await db.read((tx) => tx.groupInvites.find({ id: second.id }))).toStrictEqual(Option.none())
    })

    it("are listed while they are live, the newest first", async () => {
      const [group_id, created_by] = [await group(), await user()]
      const one = await write({ group_id, created_by, created_at: day(1) })
      const two = await write({ group_id, created_by, created_at: day(2) })
      await write({ group_id, created_by, expires_at: now })
      await write({ group_id, created_by, is_ended: true })
      await write({ group_id: await group(), created_by })
      expect(await live(group_id)).toEqual([[two.id, one.id], 2])
      expect(await live(group_id, { limit: 1, offset: 1 })).toEqual([[one.id], 2])
    })

    it("end by code and by who has made them, only the live ones of the group", async () => {
      const [group_id, ada, bob] = [await group(), await user(), await user()]
      const [one, two, three] = [
        await write({ group_id, created_by: ada }),
        await write({ group_id, created_by: ada }),
        await write({ group_id, created_by: bob, created_at: day(2) }),
      ]
      const [past, foreign] = [
        await write({ group_id, created_by: ada, expires_at: day(9) }),
        await write({ group_id: await group(), created_by: ada }),
      ]
      await db.transact((tx) => tx.groupInvites.end(group_id, { code: foreign.code }, now))
      await db.transact((tx) => tx.groupInvites.end(group_id, { code: one.code }, now))
      expect(await live(group_id)).toEqual([[three.id, two.id], 2])
      await db.transact((tx) => tx.groupInvites.end(group_id, { created_by: ada }, now))
      expect(await live(group_id)).toEqual([[three.id], 1])
      const stored = async (id: string) => Option.getOrThrow(await db.read((tx) => tx.groupInvites.find({ id })))
      expect(await stored(two.id)).toStrictEqual({ ...two, is_ended: true, expires_at: now })
      expect(await stored(past.id)).toStrictEqual(past)
      expect(await stored(foreign.id)).toStrictEqual(foreign)
    })

    it("are removed in pieces once they have ended long ago", async () => {
      await db.transact((tx) => tx.groupInvites.remove({}))
      const [group_id, created_by] = [await group(), await user()]
      for (const n of [1, 2, 3]) await write({ group_id, created_by, expires_at: day(n) })
      const kept = [await write({ group_id, created_by, expires_at: day(4) }), await write({ group_id, created_by })]
      const sweep = () => db.transact((tx) => tx.groupInvites.removeOld(day(4), 2))
      const oldest = () => db.read((tx) => tx.groupInvites.oldest())
      expect(await oldest()).toEqual(day(1))
      const first = beginOn(db)
      const [eldest] = await db.read((tx) => tx.groupInvites.list({ expires_at: day(1) }, []))
      await first.step((tx) => tx.groupInvites.lock(eldest?.id ?? ""))
      expect(await db.transact((tx) => tx.groupInvites.removeOld(day(4), 1))).toBe(1)
      await first.rollBack()
      expect([await sweep(), await sweep()]).toEqual([2, 0])
      expect(await oldest()).toEqual(day(4))
      expect(ids(await db.read((tx) => tx.groupInvites.list({}, [])))).toEqual(ids(kept))
      await db.transact((tx) => tx.groupInvites.remove({}))
      expect(await oldest()).toBeNull()
    })
  })
