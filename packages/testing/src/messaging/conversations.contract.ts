import type { TenantDb } from "@hearth/core"
import type { ConversationRow, WrittenMessage } from "@hearth/core/messaging"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { writeConversation, writeMessage } from "./builders.ts"

const minute = 60_000
const at = (minutes: number) => new Date(builtAt.getTime() + minutes * minute)

/** What a project promises about conversations and those who take part. */
export const conversationsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("conversations", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const converse = (people = 2, given: Partial<ConversationRow> = {}) =>
      db.transact((tx) => writeConversation(tx, people, given))
    const say = (id: string, sender: string, given: Partial<WrittenMessage> = {}) =>
      db.transact((tx) => writeMessage(tx, id, sender, given))
    const user = () => db.transact(writeUser)
    const view = async (id: string, userId: string) =>
      Option.getOrNull(await db.read((tx) => tx.conversations.view(id, userId)))
    const page = (userId: string, limit = 50, offset = 0) =>
      db.read((tx) => tx.conversations.pageOfUser(userId, { limit, offset }))
    const idsOf = async (userId: string, limit = 50, offset = 0) =>
      (await page(userId, limit, offset)).rows.map(({ id }) => id)

    it("are seen by those who take part, with at most 10 of them, who joined first [I4.1]", async () => {
      const { id, users } = await converse(2, { name: "Team" })
      const later = await Promise.all(Array.from({ length: 10 }, user))
      await db.transact((tx) => tx.participants.add(id, later, at(1)))
      const [first, second] = users.toSorted()
      const found = await view(id, users[1])
      expect(found).toStrictEqual({
        ...{ id, type: "group", name: "Team", created_at: builtAt, participant_count: 12 },
        ...{ participants: found?.participants, last_message: null, unread_count: 0 },
      })
      expect(found?.participants.map((person) => person.id)).toEqual([first, second, ...later.toSorted().slice(0, 8)])
      expect(found?.participants[0]).toStrictEqual({
        ...{ id: first, display_name: expect.any(String), avatar_url: null },
      })
      expect(await view(id, await user())).toBeNull()
      expect(await view(anId(), users[0])).toBeNull()
    })

    it("are listed by what their reader sees, the latest first, page by page [I4.2]", async () => {
      const [me, other] = [await user(), await user()]
      const opened = async (minutes: number) => {
        const { id } = await converse(0, { created_at: at(minutes), newest_at: at(minutes), latest_at: at(minutes) })
        await db.transact((tx) => tx.participants.add(id, [me, other], at(minutes)))
        return id
      }
      const [a, b, c, d] = [await opened(0), await opened(1), await opened(2), await opened(200)]
      expect(await idsOf(me)).toEqual([d, c, b, a])
      await say(a, me, { created_at: at(30) })
      await say(b, other, { created_at: at(130) })
      // What is held moves it for its sender alone.
      await say(c, other, { created_at: at(500), moderation: "held" })
      expect(await idsOf(me)).toEqual([d, b, a, c])
      expect(await idsOf(other)).toEqual([c, d, b, a])
      expect([await idsOf(me, 1), await idsOf(me, 1, 1), await idsOf(me, 2, 2), await idsOf(me, 9, 3)]).toEqual([
        ...[[d], [b], [a, c], [c]],
      ])
      expect(await idsOf(me, 10, 4)).toEqual([])
      expect((await page(me, 1, 9_007_199_254_740_991)).total).toBe(4)
      expect(await page(await user())).toEqual({ rows: [], total: 0 })
    })

    it("are listed by their ids, the greatest first, where the latest came at once", async () => {
      const ids = Array.from({ length: 6 }, anId).toSorted().toReversed()
      const me = await user()
      for (const place of [3, 0, 5, 1, 4, 2]) {
        const id = ids[place] as string
        await converse(0, { id, created_at: at(9_000), newest_at: at(9_000), latest_at: at(9_000) })
        await db.transact((tx) => tx.participants.add(id, [me], at(9_000)))
      }
      expect(await idsOf(me)).toEqual(ids)
      for (const slice of [
        { limit: 6, offset: 0 },
        { limit: 2, offset: 1 },
      ]) {
        const { rows } = await db.read((tx) => tx.conversations.pageOfAll(slice))
        expect(rows.map(({ id }) => id)).toEqual(ids.slice(slice.offset, slice.offset + slice.limit))
      }
    })

    it("have the last message that their reader sees, and count what others wrote after the mark [I4.2]", async () => {
      const { id, users } = await converse(3)
      const [ada, bob, eve] = users as unknown as [string, string, string]
      await say(id, ada, { body: "one", created_at: at(1) })
      await say(id, bob, { body: "two", created_at: at(2), moderation: "held" })
      const seen = async (userId: string) => {
        const found = await view(id, userId)
        return [found?.last_message?.body, found?.last_message?.sender?.id, found?.unread_count]
      }
      expect([await seen(ada), await seen(bob), await seen(eve)]).toEqual([
        ...[
          ["one", ada, 0],
          ["two", bob, 0],
          ["one", ada, 1],
        ],
      ])
      await say(id, ada, { body: "three", created_at: at(3), moderation: "rejected" })
      expect([await seen(ada), await seen(bob), await seen(eve)]).toEqual([
        ...[
          [null, ada, 0],
          [null, ada, 1],
          [null, ada, 2],
        ],
      ])
      const found = await view(id, eve)
      const last = found?.last_message
      expect(last).toStrictEqual({
        ...{ id: last?.id, conversation_id: id, sender_id: ada, body: null, created_at: at(3) },
        sender: { id: ada, display_name: expect.any(String), avatar_url: null },
      })
      expect((await page(eve)).rows).toStrictEqual([found])
      for (const body of ["four", "five"]) await say(id, bob, { body, created_at: at(4), moderation: "held" })
      expect(await seen(bob)).toEqual(["five", bob, 0])
      await db.transact((tx) => tx.messages.forgetSender(ada, 10))
      expect(await seen(eve)).toEqual([null, undefined, 2])
    })

    it("are listed by what is held in them alone, also after they were counted anew [I4.2]", async () => {
      const me = await user()
      const opened = async (minutes: number) => {
        const { id } = await converse(0, { created_at: at(minutes), newest_at: at(minutes), latest_at: at(minutes) })
        await db.transact((tx) => tx.participants.add(id, [me], at(minutes)))
        return id
      }
      const [first, second, third] = [await opened(0), await opened(100), await opened(1)]
      await say(third, me, { created_at: at(500), moderation: "held" })
      expect(await idsOf(me)).toEqual([third, second, first])
      await db.transact((tx) => tx.conversations.refresh(first, { messages: 0, held: 0 }))
      expect(await idsOf(me)).toEqual([third, second, first])
    })

    it("count up to 100 that are unread, whatever is held meanwhile [I4.2]", async () => {
      const { id, users } = await converse()
      const [ada, bob] = users
      await db.transact((tx) =>
        Effect.forEach(
          Array.from({ length: 103 }, (_, index) => index),
          (index) => writeMessage(tx, id, ada, { moderation: index < 4 ? "held" : "shown" }),
        ),
      )
      const unread = async () => (await view(id, bob))?.unread_count
      expect(await unread()).toBe(99)
      await say(id, ada)
      expect(await unread()).toBe(100)
      await say(id, ada)
      expect(await unread()).toBe(100)
    })

    it("are read up to a number or to the newest that is seen, and never back [I4.2]", async () => {
      const { id, users } = await converse()
      const [ada, bob] = users
      for (const moderation of ["shown", "shown", "held"] as const) await say(id, ada, { moderation })
      const read = (userId: string, number: number | null) => db.read((tx) => tx.participants.read(id, userId, number))
      const mark = async (userId: string) =>
        Option.getOrNull(await db.read((tx) => tx.participants.find(id, userId)))?.read_number
      expect([await mark(ada), await mark(bob)]).toEqual([3, 0])
      expect([await read(bob, 1), await mark(bob)]).toEqual([true, 1])
      expect([await read(bob, null), await mark(bob)]).toEqual([true, 2])
      expect([await read(bob, 1), await mark(bob)]).toEqual([true, 2])
      expect([await read(ada, null), await mark(ada)]).toEqual([true, 3])
      expect([await read(await user(), null), await read(anId().toString(), 1)]).toEqual([false, false])
      const quiet = await converse(1)
      expect(await db.read((tx) => tx.participants.read(quiet.id, quiet.users[0], null))).toBe(true)
    })

    it("begin for newcomers with what is written after they joined [I4.2]", async () => {
      const { id, users } = await converse(1)
      await say(id, users[0], { created_at: at(125) })
      const newcomer = await user()
      await db.transact((tx) => tx.participants.add(id, [newcomer, users[0]], at(130)))
      expect(Option.getOrNull(await db.read((tx) => tx.participants.find(id, newcomer)))).toStrictEqual({
        ...{ conversation_id: id, app_user_id: newcomer, joined_at: at(130), read_number: 1, held_at: null },
        latest_hour: at(120),
      })
      expect(Option.getOrThrow(await db.read((tx) => tx.participants.find(id, users[0]))).joined_at).toEqual(at(0))
      expect(await view(id, newcomer)).toMatchObject({ unread_count: 0, last_message: { sender_id: users[0] } })
    })

    it("know who takes part, who is alone and who is full", async () => {
      const [two, one, none] = [await converse(), await converse(1), await converse(0)]
      const [user] = two.users
      await db.transact((tx) => tx.participants.add(none.id, [user], at(0)))
      const read = <A>(work: (tx: TenantDb) => Effect.Effect<A>) => db.read(work)
      expect(await read((tx) => tx.participants.list(two.id))).toEqual(two.users.toSorted())
      expect(await read((tx) => tx.participants.listOfUser(user, 5))).toEqual([two.id, none.id].toSorted())
      expect(await read((tx) => tx.participants.listOfUser(user, 1))).toEqual([two.id])
      const all = [two.id, one.id, none.id, anId()]
      expect((await read((tx) => tx.participants.sole(all))).toSorted()).toEqual([one.id, none.id].toSorted())
      const users = [user, two.users[1], anId()]
      const full = async (most: number) => read((tx) => tx.participants.full(users, most))
      expect([await full(3), await full(2), (await full(1)).toSorted()]).toEqual([
        ...[[], [user], [user, two.users[1]].toSorted()],
      ])
      const remove = () => db.transact((tx) => tx.participants.remove(user, [two.id, none.id, one.id]))
      expect([await remove(), await remove()]).toEqual([2, 0])
    })

    it("forget a pair and a creator, and go with all that is in them [I0.4]", async () => {
      const creator = await user()
      const { id, users } = await converse(2, { type: "direct", pair: anId(), creator_id: creator })
      await say(id, users[0])
      const other = await converse(2, { pair: anId(), creator_id: users[0] })
      await db.transact((tx) => tx.conversations.forgetUser(users[0], [id, other.id]))
      const row = async (each: string) => Option.getOrNull(await db.read((tx) => tx.conversations.find({ id: each })))
      expect(await row(id)).toMatchObject({ pair: null, creator_id: creator })
      expect(await row(other.id)).toMatchObject({ pair: null, creator_id: null })
      await db.transact((tx) => tx.users.remove({ id: creator }))
      expect(await row(id)).toMatchObject({ creator_id: null })
      await db.transact((tx) => tx.conversations.removeMany([id]))
      expect([await row(id), await view(id, users[0])]).toEqual([null, null])
      expect(await db.read((tx) => tx.messages.list({ conversation_id: id }, []))).toEqual([])
      expect(await row(other.id)).not.toBeNull()
    })

    it("are listed and counted for developers with what is held [I4.4]", async () => {
      await db.transact((tx) => tx.conversations.remove({}))
      const [first, second, third] = [await converse(3), await converse(1), await converse(1, { newest_at: at(9) })]
      await say(first.id, first.users[0], { created_at: at(9), body: "older" })
      await say(first.id, first.users[0], { created_at: at(10), body: "old" })
      await say(second.id, second.users[0], { created_at: at(20), moderation: "held", body: "new" })
      const all = (limit: number, offset: number) => db.read((tx) => tx.conversations.pageOfAll({ limit, offset }))
      const { rows, total } = await all(10, 0)
      expect([rows.map(({ id }) => id), total]).toEqual([[second.id, first.id, third.id], 3])
      const [{ last_message } = { last_message: null }] = rows
      const [sender_id] = second.users
      expect(rows[0]).toStrictEqual({
        ...{ id: second.id, type: "group", name: null, created_at: builtAt, newest_at: at(20), participant_count: 1 },
        last_message: {
          ...{ id: last_message?.id, conversation_id: second.id, sender_id, body: "new", moderation: "held" },
          ...{ created_at: at(20), sender: { id: sender_id, display_name: expect.any(String), avatar_url: null } },
        },
      })
      expect(rows[1]).toMatchObject({ last_message: { body: "old" } })
      expect(rows[2]).toMatchObject({ last_message: null })
      expect((await all(1, 1)).rows.map(({ id }) => id)).toEqual([first.id])
      const readOn = (place: { readonly newest_at: Date; readonly id: string } | undefined, offset = 0) =>
        db.read((tx) =>
          tx.conversations.listOfAll({ at: place?.newest_at ?? at(0), id: place?.id ?? "" }, { limit: 2, offset }),
        )
      expect(await readOn(rows[0])).toStrictEqual(rows.slice(1))
      expect(await readOn(rows[0], 1)).toStrictEqual(rows.slice(2))
      expect([await readOn(rows[1]), await readOn(rows[2])]).toStrictEqual([rows.slice(2), []])
      expect(await readOn({ newest_at: at(10), id: third.id })).toStrictEqual(
        first.id < third.id ? rows.slice(1) : rows.slice(2),
      )
      const stats = (since: Date) => db.read((tx) => tx.conversations.stats(since))
      expect(await stats(at(20))).toEqual({
        ...{ total_conversations: 3, total_messages: 3, active_conversations_24h: 1 },
      })
      expect(await stats(at(5))).toMatchObject({ active_conversations_24h: 2 })
      await db.transact((tx) => tx.conversations.remove({}))
      expect(await stats(at(0))).toEqual({ total_conversations: 0, total_messages: 0, active_conversations_24h: 0 })
    })
  })
