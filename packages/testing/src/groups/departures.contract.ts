import type { TenantDb } from "@hearth/core"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { aGroup, aGroupInvite, aGroupMember } from "./builders.ts"

const day = (n: number) => new Date(Date.UTC(2026, 0, n))

/** What a project promises about users who go [I0.4, I2.6]. */
export const departuresContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("groups of a user who goes", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const user = () => db.transact(writeUser)
    /** A group of these members in the order of their joining; the first one owns it. */
    const write = async (...members: ReadonlyArray<readonly [userId: string, isAdmin?: boolean]>) => {
      const group = aGroup({ owner_id: members[0]?.[0] as string, is_public: false })
      await db.transact((tx) =>
        Effect.orDie(tx.groups.insert(group)).pipe(
          Effect.andThen(
            Effect.forEach(members, ([app_user_id, is_admin = false], at) =>
              tx.groupMembers.add(aGroupMember({ group_id: group.id, app_user_id, is_admin, joined_at: day(at + 1) })),
            ),
          ),
        ),
      )
      return group.id
    }
    const depart = (userId: string, limit = 500) => db.transact((tx) => tx.groups.depart(userId, day(20), limit))
    const state = async (id: string) => {
      const group = Option.getOrNull(await db.read((tx) => tx.groups.find({ id })))
      const members = await db.read((tx) => tx.groupMembers.list({ group_id: id }, [["joined_at", "asc"]]))
      return group === null
        ? null
        : [group.owner_id, group.member_count, members.map(({ app_user_id, is_admin }) => [app_user_id, is_admin])]
    }

    it("are handed over to the longest-standing admin, else member, or removed with the last [I2.6]", async () => {
      const [ada, bob, cleo] = [await user(), await user(), await user()]
      const toAdmin = await write([ada, true], [bob], [cleo, true])
      const toMember = await write([ada, true], [bob], [cleo])
      const alone = await write([ada, true])
      const asMember = await write([bob, true], [ada], [cleo])
      const untouched = await write([bob, true], [cleo])
      expect(await depart(ada)).toBe(false)
      expect(await state(toAdmin)).toEqual([
        cleo,
        2,
        [
          [bob, false],
          [cleo, true],
        ],
      ])
      expect(await state(toMember)).toEqual([
        bob,
        2,
        [
          [bob, true],
          [cleo, false],
        ],
      ])
      expect(await state(alone)).toBeNull()
      expect(await state(asMember)).toEqual([
        bob,
        2,
        [
          [bob, true],
          [cleo, false],
        ],
      ])
      expect(await state(untouched)).toEqual([
        bob,
        2,
        [
          [bob, true],
          [cleo, false],
        ],
      ])
      expect(await depart(ada)).toBe(false)
    })

    it("are left in pieces, by their ids", async () => {
      const [ada, bob] = [await user(), await user()]
      const groups: Array<string> = []
      for (let n = 0; n < 5; n += 1) groups.push(await write([ada, true], [bob]))
      expect(await depart(ada, 2)).toBe(true)
      expect(await state(groups[1] as string)).toEqual([bob, 1, [[bob, true]]])
      expect((await state(groups[2] as string))?.slice(0, 2)).toEqual([ada, 2])
      expect(await depart(ada, 2)).toBe(true)
      expect(await depart(ada, 2)).toBe(false)
      for (const id of groups) expect(await state(id)).toEqual([bob, 1, [[bob, true]]])
    })

    it("have no live invite of that user any more", async () => {
      const [ada, bob] = [await user(), await user()]
      const group_id = await write([bob, true], [ada, true])
      const invites = [ada, bob].map((created_by) => aGroupInvite({ group_id, created_by, expires_at: day(30) }))
      await db.transact((tx) => Effect.orDie(Effect.forEach(invites, (invite) => tx.groupInvites.insert(invite))))
      await depart(ada)
      const live = await db.read((tx) => tx.groupInvites.pageLive(group_id, day(10), { limit: 5, offset: 0 }))
      expect(live.rows.map(({ created_by }) => created_by)).toEqual([bob])
    })

    it("keep the end of an invite that had ended before, by which it is swept [I0.3]", async () => {
      const ada = await user()
      const group_id = await write([await user()], [ada])
      const ended = aGroupInvite({ group_id, created_by: ada, expires_at: day(10) })
      await db.transact((tx) => Effect.orDie(tx.groupInvites.insert(ended)))
      await depart(ada)
      const kept = await db.read((tx) => tx.groupInvites.list({ group_id }, []))
      expect(kept.map(({ expires_at }) => expires_at)).toEqual([day(10)])
    })

    it("are handed over once, whoever else goes at the same time", async () => {
      const users = await Promise.all(Array.from({ length: 6 }, user))
      const groups: Array<string> = []
      for (let n = 0; n < 4; n += 1)
        groups.push(await write(...users.map((id, at) => [users[(at + n) % 6] ?? id, at === 0] as const)))
      const stays = users[5] as string
      await Promise.all(
        users
          .slice(0, 5)
          .map((id) =>
            db.transact((tx) => Effect.andThen(tx.users.lock(id, "update"), tx.groups.depart(id, day(20), 500))),
          ),
      )
      for (const id of groups) expect(await state(id)).toEqual([stays, 1, [[stays, true]]])
    })
  })
