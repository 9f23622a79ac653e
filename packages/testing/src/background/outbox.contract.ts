import type { TenantDb } from "@hearth/core"
import type { OutboxEntry, OutboxLimits } from "@hearth/core/background"
import type { NewEvent } from "@hearth/core/events"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { anEvent } from "../events/builders.ts"
import { aUser } from "../users/builders.ts"
import { drainOutbox, eventsIn, handleHead, limitTo } from "./outbox-fixtures.ts"

/** What a project promises about what is still to be handled. */
export const outboxContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("outbox", () => {
    let db: DatabaseUnderTest<TenantDb>
    let user: string
    beforeEach(async () => {
      db ??= await open()
      user = await aWrittenUser()
      await db.transact(drainOutbox)
    })

    const aWrittenUser = async () => {
      const row = aUser()
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
      return row.id
    }
    /** Enters as many events as one entry, and answers their ids. */
    const enter = async (count: number, given: Partial<NewEvent> = {}) => {
      const events = Array.from({ length: count }, () => anEvent({ app_user_id: user, ...given }))
      await db.read((tx) => tx.events.insert(events, { enqueue: true }))
      return events.map((event) => event.id)
    }
    const add = (topic: string, payload = {}) => db.read((tx) => tx.outbox.add(topic, payload))
    const next = (limits: OutboxLimits) => db.transact((tx) => tx.outbox.next(limits))
    const idsOf = (events: ReadonlyArray<{ readonly id: string }>) => events.map(({ id }) => id)
    const nextIds = async (events: number, more: Partial<OutboxLimits> = {}) =>
      idsOf(eventsIn(await next(limitTo(events, more))))
    const handle = (events: number) => db.transact(handleHead(limitTo(events)))

    it("has nothing next where nothing waits", async () => {
      expect(await next(limitTo(10))).toBeNull()
      expect(await db.read((tx) => tx.outbox.waiting())).toEqual({ entries: 0, oldest: null })
    })

    it("gives events oldest first, as many as it is asked for, of several entries and of a part of one", async () => {
      const all = [...(await enter(3)), ...(await enter(2)), ...(await enter(1))]
      for (const count of [1, 2, 3, 4, 5, 6, 1_000]) expect(await nextIds(count)).toEqual(all.slice(0, count))
      expect(await nextIds(0)).toEqual(all.slice(0, 1))
    })

    it("goes on where events were removed, in the middle of an entry too", async () => {
      const all = [...(await enter(3)), ...(await enter(2))]
      expect(idsOf(eventsIn(await handle(2)))).toEqual(all.slice(0, 2))
      expect(await nextIds(10)).toEqual(all.slice(2))
      expect(idsOf(eventsIn(await handle(2)))).toEqual(all.slice(2, 4))
      expect(await nextIds(10)).toEqual(all.slice(4))
      const last = await handle(10)
      expect(await next(limitTo(10))).toBeNull()
      // What was removed stays so, whoever says it again.
      if (last !== null) await db.transact((tx) => tx.outbox.remove(last))
      expect(await db.read((tx) => tx.outbox.waiting())).toEqual({ entries: 0, oldest: null })
    })

    it("leaves what was entered in between where it was", async () => {
      const before = await enter(2)
      const head = await next(limitTo(10))
      const after = await enter(2)
      if (head !== null) await db.transact((tx) => tx.outbox.remove(head))
      expect(before).toHaveLength(2)
      expect(await nextIds(10)).toEqual(after)
    })

    it("bounds what is read in bytes, by whole entries, one at least", async () => {
      const text = "x".repeat(10_000)
      const [one, two] = [await enter(2, { properties: { text } }), await enter(2, { properties: { text } })]
      const small = await enter(1)
      expect(await nextIds(100, { bytes: 1 })).toEqual(one)
      expect(await nextIds(100, { bytes: 41_000 })).toEqual([...one, ...two])
      expect(await nextIds(100, { bytes: 60_000 })).toEqual([...one, ...two, ...small])
    })

    it("reads properties only where they are asked for", async () => {
      const [id] = await enter(1, { properties: { a: 1 } })
      const read = async (properties: boolean) => eventsIn(await next(limitTo(1, { properties })))
      expect(await read(true)).toMatchObject([{ id, properties: { a: 1 } }])
      expect(await read(false)).toMatchObject([{ id, properties: {} }])
      expect((await read(false))[0]).not.toHaveProperty("properties.a")
    })

    it("gives an entry of a topic alone, in its turn, with its payload", async () => {
      const [before] = await enter(1)
      await add("one.topic", { list: [1, "two"], nested: { three: null } })
      const [after] = await enter(1)
      expect(await nextIds(10)).toEqual([before])
      await handle(10)
      const head = await next(limitTo(10))
      expect(head).toMatchObject({
        kind: "entry",
        entry: { topic: "one.topic", payload: { list: [1, "two"], nested: { three: null } } },
      })
      expect(await handle(10)).toEqual(head)
      expect(await nextIds(10)).toEqual([after])
    })

    it("puts an entry in the place of those with the same values in the given keys, and of no others", async () => {
      await add("one.topic", { of: "a", step: 1, part: true })
      await add("one.topic", { of: "b", step: 1 })
      await add("another.topic", { of: "a" })
      await add("one.topic", { of: "a", step: 2 })
      const replace = (payload: OutboxEntry["payload"], same: ReadonlyArray<string>) =>
        db.transact((tx) => tx.outbox.replace("one.topic", payload, same))
      await replace({ of: "a", step: 3, part: true }, ["of", "part"])
      expect((await db.read((tx) => tx.outbox.waiting())).entries).toBe(4)
      await replace({ of: "a", step: 4 }, ["of"])
      const left = []
      for (let count = 0; count < 3; count += 1) left.push(await handle(1))
      expect(left).toMatchObject([
        { entry: { topic: "one.topic", payload: { of: "b", step: 1 } } },
        { entry: { topic: "another.topic", payload: { of: "a" } } },
        { entry: { topic: "one.topic", payload: { of: "a", step: 4 } } },
      ])
      expect(await next(limitTo(1))).toBeNull()
    })

    it("passes over topics that are not served, and leaves them", async () => {
      await add("of.a.newer.release")
      const events = await enter(2)
      await add("one.topic", { n: 1 })
      expect(await nextIds(10)).toEqual(events)
      await handle(10)
      expect(await next(limitTo(10, { topics: ["one.topic"] }))).toMatchObject({ entry: { payload: { n: 1 } } })
      expect(await next(limitTo(10, { topics: [] }))).toBeNull()
      expect(await next(limitTo(10, { topics: ["of.a.newer.release"] }))).toMatchObject({
        entry: { topic: "of.a.newer.release" },
      })
      expect((await db.read((tx) => tx.outbox.waiting())).entries).toBe(2)
      await db.transact(handleHead(limitTo(10, { topics: ["of.a.newer.release"] })))
    })

    it("adds together with its cause, or not at all", async () => {
      await db.attempt((tx) => Effect.andThen(tx.outbox.add("one.topic", {}), Effect.fail("no")))
      expect(await next(limitTo(10))).toBeNull()
    })

    it("loses the events of a removed user, but not their entry", async () => {
      const gone = await aWrittenUser()
      const events = [anEvent({ app_user_id: gone }), anEvent({ app_user_id: user }), anEvent({ app_user_id: gone })]
      await db.read((tx) => tx.events.insert(events, { enqueue: true }))
      await enter(1, { app_user_id: gone })
      await db.transact((tx) => tx.users.remove({ id: gone }))
      expect(await nextIds(10)).toEqual([events[1]?.id])
      expect(await nextIds(1)).toEqual([])
      await handle(1)
      expect(await nextIds(1)).toEqual([events[1]?.id])
      await handle(10)
      expect(await next(limitTo(10))).toBeNull()
    })

    it("says what waits for who serves some topics, also while it is being handled", async () => {
      const look = (topics: ReadonlyArray<string>) => db.read((tx) => tx.outbox.look(topics))
      expect([await look([]), await look(["one.topic"])]).toEqual(["nothing", "nothing"])
      await add("one.topic")
      expect([await look([]), await look(["another.topic"]), await look(["one.topic"])]).toEqual([
        "others",
        "others",
        "served",
      ])
      await enter(1)
      expect([await look([]), await look(["another.topic"])]).toEqual(["served", "served"])
      await db.transact((tx) =>
        Effect.gen(function* () {
          yield* handleHead(limitTo(10))(tx)
          yield* handleHead(limitTo(10))(tx)
          expect(yield* tx.outbox.look(["one.topic"])).toBe("nothing")
          expect(yield* Effect.promise(() => look(["one.topic"]))).toBe("served")
        }),
      )
      expect(await look(["one.topic"])).toBe("nothing")
    })

    it("says whether events of a user wait, by other names than some, until they were handled", async () => {
      const other = await aWrittenUser()
      const has = (id: string, ...except: Array<string>) => db.read((tx) => tx.outbox.hasEventsOf(id, except))
      await add("one.topic")
      expect(await has(user)).toBe(false)
      await enter(2, { event_name: "lesson" })
      await enter(1, { event_name: "told", app_user_id: other })
      expect([await has(user), await has(user, "told"), await has(user, "told", "lesson")]).toEqual([true, true, false])
      expect([await has(other), await has(other, "told")]).toEqual([true, false])
      await handle(10)
      await handle(1)
      expect([await has(user), await has(other)]).toEqual([true, true])
      await handle(1)
      expect([await has(user), await has(other)]).toEqual([false, true])
      await enter(999, { app_user_id: user, event_name: "lesson" })
      const last = await aWrittenUser()
      await enter(1, { app_user_id: last })
      expect([await has(user), await has(last)]).toEqual([true, false])
      await handle(1)
      expect(await has(last)).toBe(true)
    })

    it("says how much waits, and since when", async () => {
      await enter(3)
      const first = await db.read((tx) => tx.outbox.waiting())
      expect(first).toEqual({ entries: 1, oldest: expect.any(Date) })
      await add("one.topic")
      expect(await db.read((tx) => tx.outbox.waiting())).toEqual({ entries: 2, oldest: first.oldest })
      const head = await handle(3)
      expect(head).toMatchObject({ created_at: first.oldest })
      await enter(1)
      const later = await db.read((tx) => tx.outbox.waiting())
      expect(later.entries).toBe(2)
      expect(Number(later.oldest)).toBeGreaterThanOrEqual(Number(first.oldest))
    })

    it("restores what failed", async () => {
      const events = await enter(2)
      const failing = (end: Effect.Effect<never, string>) => (tx: TenantDb) =>
        Effect.andThen(handleHead(limitTo(10))(tx), end)
      expect((await db.attempt(failing(Effect.fail("no"))))._tag).toBe("Failure")
      expect(died(await db.attempt(failing(Effect.die("broken"))))).toBe(true)
      expect(await nextIds(10)).toEqual(events)
    })

    it("gives every event to one handler only, while others are writing", async () => {
      const written: Array<string> = []
      for (let turn = 0; turn < 6; turn += 1) written.push(...(await enter(2)))
      const handled: Array<string> = []
      const work = async () => {
        for (let turn = 0; turn < 6; turn += 1) handled.push(...idsOf(eventsIn(await handle(3))))
      }
      const write = async () => {
        for (let turn = 0; turn < 4; turn += 1) written.push(...(await enter(1)))
      }
      await Promise.all([work(), work(), write()])
      while ((await next(limitTo(100))) !== null) await work()
      expect(handled.sort()).toEqual(written.sort())
    })
  })
