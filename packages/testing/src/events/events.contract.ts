import type { TenantDb } from "@hearth/core"
import type { EventsWritten, NewEvent, PlatformEvent } from "@hearth/core/events"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { drainOutbox, eventsIn, limitTo } from "../background/outbox-fixtures.ts"
import { anId } from "../builders.ts"
import {
  awkwardJson,
  awkwardText,
  earlyInstant,
  impossibleInstants,
  incompressibleText,
  lateInstant,
} from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { anEvent } from "./builders.ts"

/** A platform event to be written. */
type CausedEvent = PlatformEvent & { readonly id: string }

const idsInOrder = (events: ReadonlyArray<{ readonly id: string }>) => events.map(({ id }) => id) as [string, string]

/** What a project promises about writing events. */
export const eventsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("events", () => {
    let db: DatabaseUnderTest<TenantDb>
    let user: string
    beforeAll(async () => {
      db = await open()
      user = await aWrittenUser()
    })

    const aWrittenUser = async () => {
      const row = aUser()
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
      return row.id
    }
    const insert = (events: ReadonlyArray<NewEvent>, enqueue = true) =>
      db.read((tx) => tx.events.insert(events, { enqueue }))
    const mine = (given: Partial<NewEvent> = {}) => anEvent({ app_user_id: user, ...given })
    const named = (external_id = anId()) => mine({ external_id })
    const idsOf = (events: ReadonlyArray<NewEvent>) => events.map((event) => event.id).sort()
    const inserted = (written: EventsWritten) => ("inserted" in written ? [...written.inserted].sort() : written)
    /** Empties the outbox and answers its events. */
    const drain = () => db.transact(drainOutbox)
    const entries = async () => (await db.read((tx) => tx.outbox.waiting())).entries

    it("keeps every column of an event", async () => {
      await drain()
      const events = [
        mine({ event_name: awkwardText, properties: awkwardJson, occurred_at: earlyInstant, external_id: awkwardText }),
        mine({ properties: {}, occurred_at: lateInstant }),
      ]
      expect(inserted(await insert(events))).toEqual(idsOf(events))
      const seen = events.map(({ external_id: _, ...event }) => event)
      expect(await drain()).toStrictEqual(seen)
    })

    it("adds the new events of a call to the outbox, as one entry in the given order", async () => {
      await drain()
      const events = Array.from({ length: 300 }, () => named()).reverse()
      expect(inserted(await insert(events))).toEqual(idsOf(events))
      expect(await entries()).toBe(1)
      expect((await drain()).map((event) => event.id)).toEqual(events.map((event) => event.id))
    })

    it("does not add events to the outbox that the caller handles", async () => {
      await drain()
      const event = named()
      expect(inserted(await insert([event], false))).toEqual([event.id])
      expect(await entries()).toBe(0)
      expect(inserted(await insert([{ ...event, id: anId() }]))).toEqual([])
    })

    it("skips events whose external id exists", async () => {
      await drain()
      const [first, second] = [named(), named()]
      await insert([first])
      await drain()
      const again = { ...first, id: anId(), event_name: "another" }
      expect(inserted(await insert([again, second]))).toEqual([second.id])
      expect((await drain()).map((event) => event.id)).toEqual([second.id])
      expect(inserted(await insert([again, { ...second, id: anId() }]))).toEqual([])
      expect(await entries()).toBe(0)
      // What was skipped does not count towards the budget either.
      await insert([again, { ...second, id: anId() }, named()])
      await insert([named()])
      expect(eventsIn(await db.transact((tx) => tx.outbox.next(limitTo(2))))).toHaveLength(2)
    })

    it("writes the first of several events with the same external id", async () => {
      await drain()
      const first = named()
      const twins = [mine(), first, { ...named(first.external_id as string), event_name: "second" }, mine()]
      const kept = twins.filter((_, index) => index !== 2)
      expect(inserted(await insert(twins))).toEqual(idsOf(kept))
      expect((await drain()).map((event) => event.id)).toEqual(kept.map((event) => event.id))
    })

    it("writes nothing when a user does not exist, and answers the indexes of such events", async () => {
      await drain()
      const [good, another] = [named(), named()]
      const batch = [
        good,
        anEvent({ app_user_id: anId() }),
        another,
        anEvent({ app_user_id: anId(), external_id: anId() }),
      ]
      expect(await insert(batch)).toEqual({ unknown_users: [1, 3] })
      expect(await insert([{ ...good, app_user_id: anId() }])).toEqual({ unknown_users: [0] })
      expect(await entries()).toBe(0)
      expect(inserted(await insert([good, another]))).toEqual(idsOf([good, another]))
      expect(await insert(batch)).toEqual({ unknown_users: [1, 3] })
    })

    it("does nothing without events", async () => {
      await drain()
      expect(await insert([])).toEqual({ inserted: [] })
      expect(await entries()).toBe(0)
    })

    it("dies of an id that is taken, and of values that cannot be stored", async () => {
      await drain()
      const first = named()
      await insert([first])
      const bad: ReadonlyArray<NewEvent> = [
        mine({ id: first.id }),
        { ...first, external_id: anId() },
        mine({ properties: { text: "NUL \u0000" } }),
        mine({ properties: { text: "half \uD83E" } }),
        mine({ properties: { "\uDD8A": "half a key" } }),
        mine({ event_name: "NUL \u0000" }),
        mine({ event_name: incompressibleText(2_800) }),
        mine({ external_id: incompressibleText(2_800) }),
        ...impossibleInstants.slice(0, 3).map((occurred_at) => mine({ occurred_at })),
      ]
      for (const [at, event] of bad.entries()) {
        const good = named()
        expect(
          died(await db.attemptRead((tx) => tx.events.insert([good, event], { enqueue: true }))),
          `event ${at}`,
        ).toBe(true)
        expect(inserted(await insert([good], false))).toEqual([good.id])
      }
      expect((await drain()).map((event) => event.id)).toEqual([first.id])
    })

    it("rolls events and their outbox entry back with the transaction", async () => {
      await drain()
      const event = named()
      await db.attempt((tx) => Effect.andThen(tx.events.insert([event], { enqueue: true }), Effect.fail("no")))
      expect(await entries()).toBe(0)
      expect(inserted(await insert([event]))).toEqual([event.id])
    })

    it("writes an event once when several calls insert it at the same time, in any order", async () => {
      await drain()
      const names = Array.from({ length: 40 }, () => anId())
      const calls = Array.from({ length: 6 }, (_, turn) => {
        const batch = names.map((name) => named(name))
        return turn % 2 === 0 ? batch : batch.reverse()
      })
      const written = await Promise.all(calls.map((batch) => insert(batch)))
      const all = written.flatMap((one) => ("inserted" in one ? one.inserted : []))
      expect(all).toHaveLength(40)
      const events = (await drain()).map((event) => event.id)
      expect(events.sort()).toEqual([...all].sort())
    })

    it("removes the events of a user with the user, and frees their external ids", async () => {
      await drain()
      const gone = await aWrittenUser()
      const event = anEvent({ app_user_id: gone, external_id: anId() })
      await insert([event])
      expect(await db.transact((tx) => tx.users.remove({ id: gone }))).toBe(1)
      expect(inserted(await insert([mine({ external_id: event.external_id })], false))).toHaveLength(1)
      expect(await insert([event])).toEqual({ unknown_users: [0] })
      expect(await drain()).toEqual([])
    })

    const caused = (given: Partial<CausedEvent> = {}): CausedEvent => {
      const { external_id: _, ...event } = mine()
      return { ...event, cause_key: `test/${anId()}/happened`, ...given }
    }
    /** Answers the ids of those of the events that are in the log then. */
    const insertCaused = async (...events: ReadonlyArray<CausedEvent>) => {
      await db.read((tx) => tx.events.insertCaused(events))
      const ids = events.map(({ id }) => id)
      return (await db.read((tx) => tx.events.listByIds(ids, { properties: false }))).map(({ id }) => id)
    }

    it("writes a platform event once per cause, and adds it to the outbox", async () => {
      await drain()
      const [first, second] = [caused({ properties: awkwardJson, event_name: awkwardText }), caused()]
      expect(await insertCaused(first)).toEqual([first.id])
      const again = caused({ cause_key: first.cause_key, event_name: "another" })
      expect(await insertCaused(again)).toEqual([])
      expect(await entries()).toBe(1)
      const third = caused({ properties: awkwardJson, event_name: awkwardText })
      expect([...(await insertCaused(again, second, third))]).toEqual([second.id, third.id])
      const seen = [first, second, third].map(({ cause_key: _, ...event }) => event)
      expect(await drain()).toStrictEqual(seen)
    })

    it("refuses platform events that are too long for an index, and keeps what just fits", async () => {
      await drain()
      const long = incompressibleText(2_800)
      for (const given of [{ event_name: long }, { cause_key: long }]) {
        expect(died(await db.attemptRead((tx) => tx.events.insertCaused([caused(given)])))).toBe(true)
      }
      const short = incompressibleText(2_600)
      const fits = caused({ event_name: short, cause_key: short })
      expect(await insertCaused(fits)).toEqual([fits.id])
      await drain()
    })

    it("drops platform events for removed users, and writes the others", async () => {
      await drain()
      const [gone, here] = [caused({ app_user_id: anId() }), caused()]
      expect(await insertCaused(gone, here)).toEqual([here.id])
      expect(await insertCaused(gone)).toEqual([])
      expect(await insertCaused()).toEqual([])
      expect((await drain()).map(({ id }) => id)).toEqual([here.id])
    })

    it("keeps causes and external ids apart", async () => {
      const event = caused()
      await insertCaused(event)
      expect(inserted(await insert([named(event.cause_key)], false))).toHaveLength(1)
    })

    it("writes a platform event once when several calls insert it at the same time, in any order", async () => {
      await drain()
      const keys = Array.from({ length: 20 }, () => `test/${anId()}/happened`)
      const calls = Array.from({ length: 4 }, (_, turn) => {
        const batch = keys.map((cause_key) => caused({ cause_key }))
        return turn % 2 === 0 ? batch : batch.reverse()
      })
      const written = await Promise.all(calls.map((batch) => insertCaused(...batch)))
      expect(written.flat()).toHaveLength(20)
    })

    it("lists the events that exist by their ids, in the order of the ids", async () => {
      const events = [mine({ properties: { a: 1 } }), mine()]
      await insert(events, false)
      const [a, b] = idsInOrder(events)
      const list = (ids: ReadonlyArray<string>, properties = true) =>
        db.read((tx) => tx.events.listByIds(ids, { properties }))
      expect(idsInOrder(await list([b, anId(), a]))).toEqual([b, a])
      expect(await list([])).toEqual([])
      expect(await list([a])).toMatchObject([{ properties: { a: 1 } }])
      expect((await list([a], false))[0]?.properties).toEqual({})
    })

    it("removes the events of a user in pieces [I0.4]", async () => {
      const [userId, otherId] = [await aWrittenUser(), await aWrittenUser()]
      const events = [userId, userId, userId, otherId].map((app_user_id) => anEvent({ app_user_id }))
      await insert(events, false)
      const removeSome = () => db.transact((tx) => tx.events.removeSome(userId, 2))
      expect([await removeSome(), await removeSome(), await removeSome()]).toEqual([2, 1, 0])
      const left = await db.read((tx) => tx.events.listByIds(idsInOrder(events), { properties: false }))
      expect(left.map(({ app_user_id }) => app_user_id)).toEqual([otherId])
    })

    it("lists the events of a user at instants: those of a name, or all where there are none of it", async () => {
      const [userId, otherId] = [await aWrittenUser(), await aWrittenUser()]
      const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))
      const written = (minute: number, event_name: string, app_user_id = userId) =>
        anEvent({ app_user_id, event_name, occurred_at: at(minute), properties: { a: 1 } })
      const events = [
        written(0, "lesson"),
        written(0, "other"),
        written(0, "lesson"),
        written(1, "other"),
        written(1, "another"),
        written(2, "lesson"),
        written(0, "lesson", otherId),
      ]
      await insert(events, false)
      const list = async (limit: number, ...minutes: ReadonlyArray<number>) => {
        const found = await db.read((tx) => tx.events.listAt(userId, minutes.map(at), "lesson", limit))
        expect(found.every(({ properties }) => Object.keys(properties).length === 0)).toBe(true)
        return found.map(({ id }) => events.findIndex((event) => event.id === id))
      }
      expect(await list(5, 1, 0)).toEqual([0, 2, 3, 4])
      expect(await list(1, 0, 1, 2)).toEqual([0, 3, 5])
      expect(await list(5, 1, 1)).toEqual(await list(5, 1))
      expect(await list(5, 7)).toEqual([])
      expect(await list(5)).toEqual([])
    })
  })
