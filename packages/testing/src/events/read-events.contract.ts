import type { TenantDb } from "@hearth/core"
import type { EventFilter, EventPosition, NewEvent } from "@hearth/core/events"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardJson, awkwardText, earlyInstant, lateInstant, textsInOrder } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { anEvent } from "./builders.ts"

const day = (text: string) => new Date(`${text}Z`)
const ids = (events: ReadonlyArray<{ readonly id: string }>) => events.map(({ id }) => id)

/** What a project promises about reading events. */
export const eventsReadingContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("reading events", () => {
    let db: DatabaseUnderTest<TenantDb>
    let [ada, bob] = ["", ""]
    /** By time, those of the same instant by id. */
    let log: ReadonlyArray<NewEvent> = []
    beforeAll(async () => {
      db = await open()
      const users = [aUser(), aUser()]
      ;[ada = "", bob = ""] = ids(users)
      await db.transact((tx) => Effect.orDie(Effect.forEach(users, tx.users.insert)))
      const same = day("2026-01-02T00:00:00.000")
      log = [
        anEvent({ app_user_id: ada, occurred_at: earlyInstant, event_name: awkwardText, properties: awkwardJson }),
        anEvent({ app_user_id: bob, occurred_at: day("2026-01-01T23:59:59.999"), event_name: "a", external_id: "x" }),
        ...["a", "b", "a", "c"].map((event_name, at) =>
          anEvent({ app_user_id: at % 2 === 0 ? ada : bob, event_name, occurred_at: same }),
        ),
        anEvent({ app_user_id: ada, occurred_at: day("2026-01-02T00:00:00.001"), event_name: "b" }),
        anEvent({ app_user_id: ada, occurred_at: day("2026-01-04T12:00:00.000"), event_name: "B" }),
        anEvent({ app_user_id: bob, occurred_at: lateInstant, event_name: "a" }),
      ]
      await db.read((tx) => tx.events.insert(log.toReversed(), { enqueue: false }))
    })

    const everything: EventFilter = { since: earlyInstant, until: null }
    const tail = async (filter: Partial<EventFilter> = {}, after: EventPosition | null = null, limit = 100) =>
      (await db.read((tx) => tx.events.tail({ ...everything, ...filter }, after, limit))).rows
    const newest = (keep: (event: NewEvent) => boolean = () => true) => ids(log.filter(keep).toReversed())

    it("answers the newest first, at the same instant the greater id, without external ids", async () => {
      const events = await tail()
      expect(ids(events)).toEqual(newest())
      const { external_id: _, ...first } = log[0] as NewEvent
      expect(events.at(-1)).toStrictEqual(first)
      expect(events.every((event) => !("external_id" in event))).toBe(true)
    })

    it("continues after any position, with or without an event there", async () => {
      for (const [at, event] of log.toReversed().entries()) {
        expect(ids(await tail({}, event, 2))).toEqual(newest().slice(at + 1, at + 3))
      }
      const { occurred_at } = log[3] as NewEvent
      const nowhere = { occurred_at, id: "ffffffff-ffff-7fff-bfff-ffffffffffff" }
      expect(ids(await tail({}, nowhere))).toEqual(newest((event) => event.occurred_at <= occurred_at))
      expect(await tail({}, { occurred_at: day("0001-01-01T00:00:00.000"), id: anId() })).toEqual([])
    })

    it("filters by half-open bounds, a name and a user", async () => {
      const [since, until] = [day("2026-01-02T00:00:00.000"), day("2026-01-02T00:00:00.001")]
      expect(ids(await tail({ since, until }))).toEqual(newest(({ occurred_at }) => +occurred_at === +since))
      expect(ids(await tail({ event_name: "a" }))).toEqual(newest(({ event_name }) => event_name === "a"))
      expect(ids(await tail({ event_name: awkwardText }))).toEqual(ids(log.slice(0, 1)))
      expect(ids(await tail({ app_user_id: bob }))).toEqual(newest(({ app_user_id }) => app_user_id === bob))
      const both = { app_user_id: ada, event_name: "a" }
      const own = newest((event) => event.app_user_id === ada && event.event_name === "a")
      expect(ids(await tail(both))).toEqual(own)
      expect(ids(await tail(both, log.find(({ id }) => id === own[0]) ?? null))).toEqual(own.slice(1))
      expect(await tail({ since: until, until: since })).toEqual([])
      expect(await tail({ app_user_id: anId() })).toEqual([])
      expect(await tail({ event_name: "A" })).toEqual([])
    })

    it("continues after any position, also of a name, of a user and of both, within bounds", async () => {
      const until = day("2026-01-04T12:00:00.000")
      const position = log.find(({ event_name }) => event_name === "c") as NewEvent
      const behind = log.slice(0, log.indexOf(position))
      const filters = [
        { event_name: "a" },
        { event_name: "B" },
        { app_user_id: bob },
        { app_user_id: ada, event_name: "a" },
      ]
      for (const filter of filters) {
        const isKept = (event: NewEvent) =>
          Object.entries(filter).every(([name, value]) => event[name as "id"] === value)
        expect(ids(await tail({ ...filter, until }))).toEqual(
          newest((event) => isKept(event) && event.occurred_at < until),
        )
        expect(ids(await tail(filter, position))).toEqual(newest((event) => isKept(event) && behind.includes(event)))
        const { occurred_at: since } = log[1] as NewEvent
        const within = newest((event) => isKept(event) && behind.includes(event) && event.occurred_at >= since)
        expect(ids(await tail({ ...filter, since, until }, position))).toEqual(within)
      }
    })

    it("counts within half-open bounds", async () => {
      const [since, until] = [day("2026-01-01T23:59:59.999"), day("2026-01-04T12:00:00.000")]
      const count = (more: object = {}) => db.read((tx) => tx.events.count({ since, until, ...more }))
      expect(await count()).toBe(6)
      expect(await count({ event_name: "a" })).toBe(3)
      expect(await count({ event_name: "none" })).toBe(0)
      expect(await count({ since: until, until: since })).toBe(0)
    })

    it("counts by day in UTC, and leaves days without events out", async () => {
      const range = { since: day("2026-01-01T00:00:00.000"), until: day("2026-02-01T00:00:00.000") }
      const byDay = (more: object = {}) => db.read((tx) => tx.events.countBy("day", { ...range, ...more }))
      expect(await byDay()).toEqual([
        { key: "2026-01-01", count: 1 },
        { key: "2026-01-02", count: 5 },
        { key: "2026-01-04", count: 1 },
      ])
      expect(await byDay({ event_name: "B" })).toEqual([{ key: "2026-01-04", count: 1 }])
      expect(await byDay({ event_name: "none" })).toEqual([])
      expect(await byDay({ since: earlyInstant })).toContainEqual({ key: "0001-01-01", count: 1 })
    })

    it("counts by name: the most frequent first, then by code point", async () => {
      const range = { since: day("2026-01-01T00:00:00.000"), until: day("2026-02-01T00:00:00.000") }
      expect(await db.read((tx) => tx.events.countBy("event_name", range))).toEqual([
        { key: "a", count: 3 },
        { key: "b", count: 2 },
        { key: "B", count: 1 },
        { key: "c", count: 1 },
      ])
      const other = await open()
      const user = aUser()
      await other.transact((tx) => Effect.orDie(tx.users.insert(user)))
      const named = textsInOrder.map((event_name) =>
        anEvent({ app_user_id: user.id, event_name, occurred_at: range.since }),
      )
      await other.read((tx) => tx.events.insert(named.toReversed(), { enqueue: false }))
      const keys = (await other.read((tx) => tx.events.countBy("event_name", range))).map(({ key }) => key)
      expect(keys).toEqual(textsInOrder)
    })

    it("answers slices of a user's events with the total, also past the end", async () => {
      const page = (userId: string, limit: number, offset: number) =>
        db.read((tx) => tx.events.pageOfUser(userId, { limit, offset }))
      const own = newest(({ app_user_id }) => app_user_id === ada)
      const first = await page(ada, 2, 0)
      expect([ids(first.rows), first.total]).toEqual([own.slice(0, 2), own.length])
      expect(first.rows[0]).toStrictEqual((await tail({ app_user_id: ada }, null, 1))[0])
      expect(ids((await page(ada, 100, 1)).rows)).toEqual(own.slice(1))
      expect(await page(ada, 10, 99)).toEqual({ rows: [], total: own.length })
      expect(await page(anId(), 10, 0)).toEqual({ rows: [], total: 0 })
    })

    it("dies of an invalid name, id or instant", async () => {
      const bad: ReadonlyArray<Partial<EventFilter>> = [
        { event_name: "NUL \u0000" },
        { app_user_id: "nobody" },
        { since: new Date(Number.NaN) },
      ]
      for (const filter of bad) {
        expect(died(await db.attemptRead((tx) => tx.events.tail({ ...everything, ...filter }, null, 1)))).toBe(true)
      }
    })
  })
