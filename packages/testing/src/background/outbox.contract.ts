import type { NewEvent, OutboxEntry, TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anEvent, anId, aUser } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"

/** What a project promises about what is still to be handled. */
export const outboxContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("outbox", () => {
    let db: DatabaseUnderTest<TenantDb>
    let user: string
    beforeEach(async () => {
      db ??= await open()
      user = await aWrittenUser()
      await db.transact(handle(100_000))
    })

    const aWrittenUser = async () => {
      const row = aUser()
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
      return row.id
    }
    /** Enters as many events as one entry, and answers their ids. */
    const enter = async (count: number, app_user_id = user) => {
      const events: ReadonlyArray<NewEvent> = Array.from({ length: count }, () => anEvent({ app_user_id }))
      await db.read((tx) => tx.events.insert(events, { enqueue: true }))
      return events.map((event) => event.id)
    }
    const next = (budget: number) =>
      db.transact((tx) =>
        Effect.map(tx.outbox.next(budget), ({ entries, events }) => ({
          entries: entries.map((entry) => entry.id),
          events: events.map((event) => event.id),
        })),
      )
    const handle = (budget: number) => (tx: TenantDb) =>
      Effect.gen(function* () {
        yield* tx.outbox.hold()
        const { entries } = yield* tx.outbox.next(budget)
        yield* tx.outbox.remove(entries.map((entry) => entry.id))
        return entries.map((entry) => entry.id)
      })

    it("has nothing next where nothing waits", async () => {
      expect(await next(10)).toEqual({ entries: [], events: [] })
      expect(await db.read((tx) => tx.outbox.waiting())).toEqual({ entries: 0, oldest: null })
    })

    it("gives whole entries, oldest first, as far as the budget of events goes", async () => {
      const [three, two, one] = [await enter(3), await enter(2), await enter(1)]
      const all = await next(6)
      expect(all.events).toEqual([...three, ...two, ...one])
      expect(all.entries).toEqual([...all.entries].sort((a, b) => Number(BigInt(a) - BigInt(b))))
      expect(new Set(all.entries).size).toBe(3)
      const first = (count: number, events: ReadonlyArray<string>) => ({ entries: all.entries.slice(0, count), events })
      expect(await next(1_000)).toEqual(all)
      expect(await next(5)).toEqual(first(2, [...three, ...two]))
      expect(await next(4)).toEqual(first(1, three))
      expect(await next(3)).toEqual(first(1, three))
      expect(await next(1)).toEqual(first(1, three))
    })

    it("goes on where entries were removed, and forgets them for good", async () => {
      const [two, one] = [await enter(2), await enter(1)]
      const [oldest] = (await next(1)).entries
      await db.transact((tx) => tx.outbox.remove([oldest ?? "", oldest ?? ""]))
      expect((await next(10)).events).toEqual(one)
      await db.transact((tx) => tx.outbox.remove([oldest ?? ""]))
      await db.transact((tx) => tx.outbox.remove([]))
      expect((await next(10)).entries).toHaveLength(1)
      expect(await db.transact(handle(10))).toHaveLength(1)
      expect(await next(10)).toEqual({ entries: [], events: [] })
      expect(two).toHaveLength(2)
    })

    it("keeps what is to be done with a definition, in its turn", async () => {
      const subjects = [
        { definition_id: anId(), after_user_id: null },
        { definition_id: anId(), after_user_id: anId() },
      ] as const
      const before = await enter(1)
      await db.transact((tx) => tx.outbox.add("streak-definition", subjects[0]))
      const after = await enter(1)
      await db.transact((tx) => tx.outbox.add("streak-definition", subjects[1]))
      const { entries, events } = await db.transact((tx) => tx.outbox.next(10))
      const shapes = entries.map(({ topic, subject }: OutboxEntry) => ({ topic, subject }))
      expect(shapes).toStrictEqual([
        { topic: "events", subject: null },
        { topic: "streak-definition", subject: subjects[0] },
        { topic: "events", subject: null },
        { topic: "streak-definition", subject: subjects[1] },
      ])
      expect(events.map((event) => event.id)).toEqual([...before, ...after])
      const { oldest } = await db.read((tx) => tx.outbox.waiting())
      expect(entries[0]?.created_at).toEqual(oldest)
      expect(entries.map((entry) => entry.created_at).sort((a, b) => Number(a) - Number(b))[0]).toEqual(oldest)
      expect((await next(1)).entries).toHaveLength(1)
      expect((await next(3)).entries).toHaveLength(3)
      expect(await db.transact(handle(2))).toHaveLength(2)
      expect((await next(10)).events).toEqual(after)
    })

    it("adds together with its cause, or not at all", async () => {
      const subject = { definition_id: anId(), after_user_id: null }
      await db.attempt((tx) => Effect.andThen(tx.outbox.add("streak-definition", subject), Effect.fail("no")))
      expect((await next(10)).entries).toEqual([])
    })

    it("loses the events of a removed user, but not their entry", async () => {
      const gone = await aWrittenUser()
      const events = [anEvent({ app_user_id: gone }), anEvent({ app_user_id: user }), anEvent({ app_user_id: gone })]
      await db.read((tx) => tx.events.insert(events, { enqueue: true }))
      await enter(1, gone)
      await db.transact((tx) => tx.users.remove({ id: gone }))
      const left = await next(10)
      expect(left.entries).toHaveLength(2)
      expect(left.events).toEqual([events[1]?.id])
      expect(await db.transact(handle(10))).toEqual(left.entries)
      expect((await next(10)).entries).toEqual([])
    })

    it("says how much waits, and since when", async () => {
      await enter(3)
      const first = await db.read((tx) => tx.outbox.waiting())
      expect(first).toEqual({ entries: 1, oldest: expect.any(Date) })
      await db.transact((tx) => tx.outbox.add("streak-definition", { definition_id: anId(), after_user_id: null }))
      expect(await db.read((tx) => tx.outbox.waiting())).toEqual({ entries: 2, oldest: first.oldest })
      await db.transact(handle(3))
      await enter(1)
      const later = await db.read((tx) => tx.outbox.waiting())
      expect(later.entries).toBe(1)
      expect(Number(later.oldest)).toBeGreaterThanOrEqual(Number(first.oldest))
    })

    it("restores entries whose handling failed", async () => {
      const events = await enter(2)
      const before = await next(10)
      const failed = await db.attempt((tx) => Effect.andThen(handle(10)(tx), Effect.fail("no")))
      expect(failed._tag).toBe("Failure")
      expect(died(await db.attempt((tx) => Effect.andThen(handle(10)(tx), Effect.die("broken"))))).toBe(true)
      expect(await next(10)).toEqual(before)
      expect(before.events).toEqual(events)
      expect(await db.transact(handle(10))).toEqual(before.entries)
    })

    it("gives every entry to one handler only, while others are writing", async () => {
      const written = []
      for (let turn = 0; turn < 6; turn += 1) written.push(...(await enter(2)))
      const handled: Array<string> = []
      const work = async () => {
        for (let turn = 0; turn < 4; turn += 1) {
          const ids = await db.transact((tx) =>
            Effect.gen(function* () {
              yield* tx.outbox.hold()
              const { entries, events } = yield* tx.outbox.next(3)
              yield* tx.outbox.remove(entries.map((entry) => entry.id))
              return events.map((event) => event.id)
            }),
          )
          handled.push(...ids)
        }
      }
      const write = async () => {
        for (let turn = 0; turn < 4; turn += 1) written.push(...(await enter(1)))
      }
      await Promise.all([work(), work(), write()])
      for (let left = await next(100); left.entries.length > 0; left = await next(100)) await work()
      expect(handled.sort()).toEqual(written.sort())
    })
  })
