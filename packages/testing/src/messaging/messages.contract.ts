import type { TenantDb } from "@hearth/core"
import { cutToHour, type MessageRange, type MessageRow, seenAt, type WrittenMessage } from "@hearth/core/messaging"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt, makeId, nextNumber } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { writeConversation, writeMessage } from "./builders.ts"

const at = (minutes: number) => new Date(builtAt.getTime() + minutes * 60_000)
const whole = { limit: 1_000, offset: 0 }
const everything: MessageRange = { before: null, after: null }

/** Random numbers that are the same in every run. */
const drawFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What a project promises about messages. */
export const messagesContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("messages", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const converse = (people = 2) => db.transact((tx) => writeConversation(tx, people))
    const say = (id: string, sender: string, given: Partial<WrittenMessage> = {}) =>
      db.transact((tx) => writeMessage(tx, id, sender, given))
    const stored = (id: string) => db.read((tx) => tx.messages.list({ conversation_id: id }, [["number", "asc"]]))
    const bodies = async (id: string, userId: string, range = everything, slice = whole) => {
      const { rows, total } = await db.read((tx) => tx.messages.pageForUser(id, userId, range, slice))
      return [rows.map(({ body }) => body), total]
    }

    it("are numbered one after the other, also where many are written at once [I4.2]", async () => {
      const { id, users } = await converse(3)
      const send = (n: number) =>
        db.transact((tx) =>
          Effect.andThen(
            tx.messages.lockToWrite(id, users[n % 3] ?? ""),
            writeMessage(tx, id, users[n % 3] ?? "", { moderation: n % 4 === 0 ? "held" : "shown" }),
          ),
        )
      await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
      expect((await stored(id)).map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
      const row = Option.getOrThrow(await db.read((tx) => tx.conversations.find({ id })))
      expect(row).toMatchObject({ last_number: 20, message_count: 20, held_count: 5 })
    })

    it("can be written by users who take part, where there is such a conversation [I4.2]", async () => {
      const { id, users } = await converse()
      const lock = (conversationId: string, userId: string) =>
        db.transact((tx) => tx.messages.lockToWrite(conversationId, userId))
      expect(await lock(id, users[0])).toStrictEqual({
        sender: { id: users[0], display_name: expect.any(String), avatar_url: null },
        conversation: { type: "group", pair: null },
      })
      const stranger = await db.transact(writeUser)
      expect(await lock(anId(), users[0])).toMatchObject({ sender: { id: users[0] }, conversation: null })
      expect(await lock(id, stranger)).toMatchObject({ sender: { id: stranger }, conversation: null })
      const [elsewhere] = (await converse()).users
      expect(await lock(id, elsewhere)).toMatchObject({ sender: { id: elsewhere }, conversation: null })
      expect(await lock(id, anId())).toStrictEqual({ sender: null, conversation: null })
    })

    it("cannot be written by somebody who leaves meanwhile [I4.2]", async () => {
      const { id, users } = await converse()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      let hasLocked = () => {}
      const locked = new Promise<void>((resolve) => {
        hasLocked = resolve
      })
      const leaving = db.transact(
        Effect.fnUntraced(function* (tx) {
          yield* tx.conversations.lock(id)
          yield* tx.participants.remove(users[0], [id])
          hasLocked()
          yield* Effect.promise(() => held)
        }),
      )
      await locked
      const writing = db.transact((tx) => tx.messages.lockToWrite(id, users[0]))
      // Far enough that it waits for the conversation.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      release()
      await leaving
      expect(await writing).toMatchObject({ sender: { id: users[0] }, conversation: null })
    })

    it("mark what is before them as read, and show who has sent them [I4.2]", async () => {
      const { id, users } = await converse()
      const [ada, bob] = users
      const message = await say(id, ada, { body: "hello", created_at: at(3) })
      const { rows } = await db.read((tx) => tx.messages.pageForUser(id, ada, everything, whole))
      expect(rows).toStrictEqual([
        {
          ...{ id: message.id, conversation_id: id, sender_id: ada, body: "hello", created_at: at(3) },
          sender: { id: ada, display_name: expect.any(String), avatar_url: null },
        },
      ])
      await say(id, bob)
      await say(id, ada)
      const unread = async (userId: string) =>
        Option.getOrThrow(await db.read((tx) => tx.conversations.view(id, userId))).unread_count
      expect([await unread(ada), await unread(bob)]).toEqual([0, 1])
    })

    it("repeat none of the same sender in the same conversation [I4.2]", async () => {
      const [one, two] = [await converse(), await converse(0)]
      const [ada, bob] = one.users
      await db.transact((tx) => tx.participants.add(two.id, [ada], at(0)))
      const write = (conversation_id: string, sender_id: string, body: string) =>
        db.transact((tx) =>
          tx.messages.write({
            ...{ id: makeId(nextNumber()), conversation_id, sender_id, body, client_message_id: "c-1" },
            ...{ moderation: "shown", created_at: at(1) },
          }),
        )
      expect(await write(one.id, ada, "first")).toBe(true)
      expect(await write(one.id, ada, "second")).toBe(false)
      expect(await write(one.id, bob, "third")).toBe(true)
      expect(await write(two.id, ada, "fourth")).toBe(true)
      expect((await stored(one.id)).map(({ number, body }) => [number, body])).toEqual([
        ...[
          [1, "first"],
          [2, "third"],
        ],
      ])
      const found = (name: string) => db.read((tx) => tx.messages.findRepeated(one.id, ada, name))
      expect(Option.getOrNull(await found("c-1"))).toMatchObject({ body: "first", sender: { id: ada } })
      expect(Option.isNone(await found("c-2"))).toBe(true)
    })

    it("are listed between numbers as their reader sees them, the newest first [I4.2, I6.3]", async () => {
      const { id, users } = await converse()
      const [ada, bob] = users
      for (const [body, moderation] of [
        ...([
          ["1", "shown"],
          ["2", "held"],
          ["3", "rejected"],
          ["4", "shown"],
        ] as const),
      ])
        await say(id, ada, { body, moderation })
      expect(await bodies(id, ada)).toEqual([["4", null, "2", "1"], 4])
      expect(await bodies(id, bob)).toEqual([["4", null, "1"], 3])
      expect(await bodies(id, bob, { before: 4, after: null })).toEqual([[null, "1"], 3])
      expect(await bodies(id, bob, { before: null, after: 1 })).toEqual([["4", null], 3])
      expect(await bodies(id, ada, { before: 4, after: 1 })).toEqual([[null, "2"], 4])
      expect(await bodies(id, ada, everything, { limit: 2, offset: 1 })).toEqual([[null, "2"], 4])
      expect(await bodies(id, bob, everything, { limit: 1, offset: 9_007_199_254_740_991 })).toEqual([[], 3])
      const forAdmin = (before: number | null, limit: number, offset = 0) =>
        db.read((tx) => tx.messages.pageForAdmin(id, before, { limit, offset }))
      const { rows, total, last_number } = await forAdmin(null, 3, 1)
      expect(last_number).toBe(1)
      expect([rows.map(({ body, moderation }) => [body, moderation]), total]).toEqual([
        [
          ["3", "rejected"],
          ["2", "held"],
          ["1", "shown"],
        ],
        4,
      ])
      const first = await forAdmin(null, 2)
      await db.transact((tx) => tx.messages.remove({ id: first.rows[1]?.id ?? "" }))
      await say(id, ada)
      expect(first.last_number).toBe(3)
      expect(await forAdmin(3, 1)).toMatchObject({ rows: [rows[1]], last_number: 2 })
      expect(await forAdmin(3, 2, 1)).toMatchObject({ rows: [rows[2]], last_number: 1 })
      expect(await forAdmin(1, 2)).toMatchObject({ rows: [], last_number: null })
      const none = await db.read((tx) => tx.messages.pageForAdmin(anId(), null, whole))
      expect(none).toEqual({ rows: [], total: 0, last_number: null })
    })

    it("lose their body to their sender alone, and their sender with the user [I4.2, I0.4]", async () => {
      const { id, users } = await converse()
      const [ada, bob] = users
      const { id: messageId } = await say(id, ada)
      const erase = (userId: string) => db.transact((tx) => tx.messages.erase(messageId, userId))
      expect([await erase(bob), await erase(ada), await erase(ada)]).toEqual([false, true, true])
      await say(id, ada)
      await say(id, ada)
      const forget = () => db.transact((tx) => tx.messages.forgetSender(ada, 2))
      expect([await forget(), await forget(), await forget()]).toEqual([2, 1, 0])
      await say(id, bob)
      await db.transact((tx) => tx.users.remove({ id: bob }))
      expect((await stored(id)).map(({ sender_id }) => sender_id)).toEqual([null, null, null, null])
      const { rows } = await db.read((tx) => tx.messages.pageForAdmin(id, null, whole))
      expect(rows.map(({ sender }) => sender)).toEqual([null, null, null, null])
    })

    it("go in pieces, and the newest are read in all conversations", async () => {
      const [one, two] = [await converse(), await converse()]
      for (const moderation of ["shown", "held", "shown"] as const) await say(one.id, one.users[0], { moderation })
      const { id: last } = await say(two.id, two.users[0], { body: "last" })
      const { id: erased } = await say(two.id, two.users[0])
      await db.transact((tx) => tx.messages.erase(erased, two.users[0]))
      const newest = await db.read((tx) => tx.messages.newest(2))
      expect(newest).toEqual([
        { id: last, created_at: expect.any(Date) },
        { id: expect.not.stringMatching(erased), created_at: expect.any(Date) },
      ])
      const counts = async (id: string) => {
        const row = Option.getOrThrow(await db.read((tx) => tx.conversations.find({ id })))
        return [row.message_count, row.held_count, (await stored(id)).map(({ number }) => number)]
      }
      const remove = (limit: number) => db.transact((tx) => tx.messages.removeSome([one.id, anId()], limit))
      expect([await remove(2), await counts(one.id)]).toEqual([2, [1, 0, [3]]])
      expect([await remove(2), await counts(one.id), await remove(2)]).toEqual([1, [0, 0, []], 0])
      expect(await counts(two.id)).toEqual([2, 0, [1, 2]])
    })

    it("agree with what is stored of them, whatever was done with them in any order", async () => {
      const draw = drawFrom(20_260_301)
      const { id, users } = await converse(4)
      const pick = <A>(all: ReadonlyArray<A>) => all[draw(all.length)] as A
      const change = Effect.fnUntraced(function* (
        tx: TenantDb,
        message: MessageRow,
        moderation: MessageRow["moderation"] | null,
      ) {
        const held = (message.moderation === "held" ? -1 : 0) + (moderation === "held" ? 1 : 0)
        if (moderation === null) yield* tx.messages.remove({ id: message.id })
        else yield* Effect.orDie(tx.messages.update(message.id, { moderation }))
        yield* tx.conversations.refresh(id, { messages: moderation === null ? -1 : 0, held })
      })
      for (let step = 0; step < 120; step += 1) {
        const all = await stored(id)
        const action = draw(10)
        if (action < 5 || all.length === 0)
          await say(id, pick(users), {
            created_at: at(step * 17),
            moderation: pick(["shown", "shown", "held"] as const),
          })
        else if (action < 9) {
          const [message, moderation] = [pick(all), pick(["shown", "rejected", "held", null] as const)]
          await db.transact((tx) => change(tx, message, moderation))
        } else {
          const leaver = pick(users)
          await db.transact((tx) =>
            Effect.andThen(tx.participants.remove(leaver, [id]), tx.participants.add(id, [leaver], at(step * 17))),
          )
          await db.transact((tx) => tx.conversations.refresh(id, { messages: 0, held: 0 }))
        }
      }
      const all = (await stored(id)).toReversed()
      const row = Option.getOrThrow(await db.read((tx) => tx.conversations.find({ id })))
      const open = all.find(({ moderation }) => moderation !== "held")
      expect(row).toMatchObject({
        message_count: all.length,
        held_count: all.filter(({ moderation }) => moderation === "held").length,
        newest_at: all[0]?.created_at ?? row.created_at,
        latest_at: open?.created_at ?? row.created_at,
      })
      for (const userId of users) {
        const participant = Option.getOrThrow(await db.read((tx) => tx.participants.find(id, userId)))
        const own = all.find(({ moderation, sender_id }) => moderation === "held" && sender_id === userId)
        expect(participant.held_at).toEqual(own?.created_at ?? null)
        expect(participant.latest_hour).toEqual(cutToHour(seenAt(row.latest_at, participant.held_at)))
      }
    })
  })
