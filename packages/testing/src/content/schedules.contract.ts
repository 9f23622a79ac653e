import type { TenantDb } from "@hearth/core"
import type { ContentItem, ContentScheduleRow } from "@hearth/core/content"
import { Effect, Option } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, mostAtOnce } from "../contracts/interleaving.harness.ts"
import { writeUser } from "../users/tables.ts"
import { aContentDelivery, aContentItem, aContentLibrary, aContentSchedule } from "./builders.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)

const makeTools = (db: DatabaseUnderTest<TenantDb>) => {
  const library = async (name = "Library") => {
    const row = aContentLibrary({ name })
    await db.transact((tx) => Effect.orDie(tx.contentLibraries.insert(row)))
    return row.id
  }
  const schedule = async (library_id: string, given: Partial<ContentScheduleRow> = {}) => {
    const row = aContentSchedule({ library_id, ...given })
    await db.transact((tx) => Effect.orDie(tx.contentSchedules.insert(row)))
    return row
  }
  const item = async (library_id: string, given: Partial<ContentItem> = {}) => {
    const row = aContentItem({ library_id, ...given })
    await db.transact((tx) => Effect.orDie(tx.contentItems.insert(row)))
    return row
  }
  const deliver = (schedule_id: string, item_id: string, given: { delivered_at?: Date; round?: number } = {}) => {
    const row = aContentDelivery({ schedule_id, item_id, ...given })
    return db.transact((tx) => Effect.orDie(tx.contentDeliveries.insert(row)))
  }
  return { library, schedule, item, deliver }
}

/** What a project promises about schedules, beyond their table. */
export const contentSchedulesContract = (open: Open) =>
  describe("content schedules", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.contentLibraries.remove({})))

    it("are counted, and listed with the names of their libraries, the oldest first", async () => {
      const { library, schedule } = makeTools(db)
      const [a, b] = [await library("A"), await library("B")]
      const young = { ...(await schedule(a, { created_at: at(1) })), library_name: "A" }
      const old = { ...(await schedule(b, { created_at: at(0), is_active: false })), library_name: "B" }
      const page = (limit: number, offset: number) =>
        db.read((tx) => tx.contentSchedules.pageWithLibraries({ limit, offset }))
      expect(await page(10, 0)).toStrictEqual({ rows: [old, young], total: 2 })
      expect(await page(1, 1)).toStrictEqual({ rows: [young], total: 2 })
      expect(await page(1, 2)).toStrictEqual({ rows: [], total: 2 })
      expect(await db.read((tx) => tx.contentSchedules.count())).toBe(2)
    })

    it("go with their library, and their deliveries with them and with the item", async () => {
      const { library, schedule, item, deliver } = makeTools(db)
      const [a, b] = [await library(), await library()]
      const [one, other] = [await schedule(a), await schedule(b)]
      const [first, second] = [await item(b), await item(b)]
      await deliver(one.id, first.id)
      await deliver(other.id, first.id)
      await deliver(other.id, second.id)
      const left = async () => (await db.read((tx) => tx.contentDeliveries.list({}, []))).length
      await db.transact((tx) => tx.contentItems.remove({ id: second.id }))
      expect(await left()).toBe(2)
      await db.transact((tx) => tx.contentLibraries.remove({ id: a }))
      expect(await left()).toBe(1)
      expect(await db.read((tx) => tx.contentSchedules.list({}, []))).toStrictEqual([other])
      await db.transact((tx) => tx.contentSchedules.remove({ id: other.id }))
      expect(await left()).toBe(0)
    })

    it("of a library are locked by id, so that none of them changes meanwhile", async () => {
      const { library, schedule } = makeTools(db)
      const [a, b] = [await library(), await library()]
      const own = [await schedule(a), await schedule(a)].sort((x, y) => (x.id < y.id ? -1 : 1))
      await schedule(b)
      let round = 0
      const [locked, changed] = await Promise.all([
        db.transact(
          Effect.fnUntraced(function* (tx) {
            const rows = yield* tx.contentSchedules.lockOfLibrary(a)
            yield* Effect.sleep("100 millis")
            return rows.length === 0 ? rows : yield* tx.contentSchedules.lockOfLibrary(a)
          }),
        ),
        db.transact(
          Effect.fnUntraced(function* (tx) {
            yield* Effect.sleep("30 millis")
            const found = Option.getOrThrow(yield* tx.contentSchedules.lock(own[0]?.id ?? ""))
            round = found.round + 1
            return yield* Effect.orDie(tx.contentSchedules.update(found.id, { round }))
          }),
        ),
      ])
      expect(locked).toStrictEqual(own)
      expect(Option.getOrThrow(changed).round).toBe(1)
    })

    it("are made one after the other where that is asked for [I0.2]", async () => {
      expect(await mostAtOnce(db, 4, (tx) => tx.contentSchedules.lockCreation())).toBe(1)
    })
  })

/** What a project promises about what schedules pick from. */
export const contentPicksContract = (open: Open) =>
  describe("picks of content schedules", () => {
    let db: DatabaseUnderTest<TenantDb>
    let tools: ReturnType<typeof makeTools>
    beforeAll(async () => {
      db = await open()
      tools = makeTools(db)
    })

    it("are active and shown, of users only where that is asked for, by number and id [I1.3]", async () => {
      const [id, author] = [await tools.library(), await db.transact(writeUser)]
      const own = { owner_app_user_id: author }
      const twins = [await tools.item(id, { sort_order: 2 }), await tools.item(id, { sort_order: 2, title: "Two" })]
      const first = await tools.item(id, { sort_order: -5 })
      const written = await tools.item(id, { ...own, sort_order: 1 })
      await tools.item(id, { ...own, moderation: "held" })
      await tools.item(id, { ...own, moderation: "rejected" })
      await tools.item(id, { is_active: false })
      await tools.item(await tools.library())
      const [second, third] = twins.sort((x, y) => (x.id < y.id ? -1 : 1))
      const list = (include_authored: boolean, after: { sort_order: number; id: string } | null, limit = 10) =>
        db.read((tx) => tx.contentDeliveries.listPickable({ library_id: id, include_authored }, after, limit))
      const shown = (items: ReadonlyArray<ContentItem | undefined>) =>
        items.map((item) => ({ id: item?.id, sort_order: item?.sort_order, title: item?.title }))
      expect(await list(false, null)).toStrictEqual(shown([first, second, third]))
      expect(await list(true, null)).toStrictEqual(shown([first, written, second, third]))
      expect(await list(false, null, 2)).toStrictEqual(shown([first, second]))
      const place = { sort_order: 2, id: second?.id ?? "" }
      expect(await list(false, place)).toStrictEqual(shown([third]))
      expect(await list(true, { sort_order: 0, id: anId() }, 1)).toStrictEqual(shown([written]))
      expect(await list(true, { sort_order: 2, id: third?.id ?? "" })).toEqual([])
    })

    it("can be drawn, without those of the round and without one [I1.3]", async () => {
      const id = await tools.library()
      const { id: schedule_id } = await tools.schedule(id, { schedule_type: "random" })
      const other = await tools.schedule(id)
      const items = [
        await tools.item(id),
        await tools.item(id, { sort_order: 2 }),
        await tools.item(id, { sort_order: 3 }),
      ]
      const hidden = await tools.item(id, { is_active: false })
      const [a = "", b = "", c = ""] = items.map((item) => item.id)
      await tools.deliver(schedule_id, a, { round: 1 })
      await tools.deliver(schedule_id, a, { round: 1 })
      await tools.deliver(schedule_id, b, { round: 0 })
      await tools.deliver(other.id, c, { round: 1 })
      await tools.deliver(schedule_id, hidden.id, { round: 1 })
      const from = { library_id: id, include_authored: false }
      const draw = async (round: number, last_item_id: string | null, fraction: number) => {
        const given = { ...from, schedule_id, round, last_item_id }
        const { unseen, other, last } = await db.read((tx) => tx.contentDeliveries.draw(given, fraction))
        return [unseen?.id, other?.id, last?.id]
      }
      const almost = 1 - 2 ** -40
      expect(await draw(1, a, 0)).toEqual([b, b, a])
      expect(await draw(1, a, almost)).toEqual([c, c, a])
      expect(await draw(1, b, 0.5)).toEqual([c, c, b])
      expect(await draw(1, null, 0.4)).toEqual([b, b, undefined])
      expect(await draw(2, hidden.id, 0.2)).toEqual([a, a, undefined])
      expect(await draw(0, c, 0.3)).toEqual([a, a, c])
      for (const item of [b, c]) await tools.deliver(schedule_id, item, { round: 1 })
      expect(await draw(1, c, 0.6)).toEqual([undefined, b, c])
      const empty = {
        library_id: await tools.library(),
        include_authored: true,
        schedule_id,
        round: 1,
        last_item_id: a,
      }
      const nothing = { unseen: null, other: null, last: null }
      expect(await db.read((tx) => tx.contentDeliveries.draw(empty, 0))).toStrictEqual(nothing)
      const one = await db.read((tx) => tx.contentDeliveries.draw({ ...empty, ...from }, 0))
      expect(one.last).toStrictEqual({ id: a, sort_order: items[0]?.sort_order, title: null })
    })
  })

/** What a project promises about how long deliveries are kept. */
export const oldDeliveriesContract = (open: Open) =>
  describe("old deliveries", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    it("go in pieces, the oldest first, but for what a random schedule has shown in its round", async () => {
      const { library, schedule, item, deliver } = makeTools(db)
      const id = await library()
      const { id: item_id } = await item(id)
      const [daily, random] = [await schedule(id), await schedule(id, { schedule_type: "random", round: 7 })]
      const deliveries = [
        { schedule_id: random.id, round: 7, delivered_at: at(1) },
        { schedule_id: random.id, round: 6, delivered_at: at(2) },
        { schedule_id: daily.id, round: 0, delivered_at: at(3) },
        { schedule_id: daily.id, round: 0, delivered_at: at(5) },
        { schedule_id: daily.id, round: 0, delivered_at: at(4) },
      ]
      for (const { schedule_id, ...given } of deliveries) await deliver(schedule_id, item_id, given)
      const sweep = (before: Date, limit: number) => db.transact((tx) => tx.contentDeliveries.removeOld(before, limit))
      const oldest = () => db.read((tx) => tx.contentDeliveries.oldest())
      const left = async () =>
        (await db.read((tx) => tx.contentDeliveries.list({}, [["delivered_at", "asc"]]))).map((row) => row.delivered_at)
      expect([await oldest(), await sweep(at(2), 9)]).toEqual([at(2), 0])
      expect([await sweep(at(5), 2), await left()]).toEqual([2, [at(1), at(4), at(5)]])
      expect([await oldest(), await sweep(at(5), 2), await left()]).toEqual([at(4), 1, [at(1), at(5)]])
      await db.transact((tx) => Effect.orDie(tx.contentSchedules.update(random.id, { round: 8 })))
      expect([await oldest(), await sweep(at(9), 9), await oldest()]).toEqual([at(1), 2, null])
    })

    it("are passed over where somebody else removes them", async () => {
      const { library, schedule, item } = makeTools(db)
      const id = await library()
      const [{ id: schedule_id }, { id: item_id }] = [await schedule(id), await item(id)]
      const row = aContentDelivery({ schedule_id, item_id, delivered_at: at(0) })
      await db.transact((tx) => Effect.orDie(tx.contentDeliveries.insert(row)))
      const sweep = () => db.transact((tx) => tx.contentDeliveries.removeOld(at(1), 9))
      const first = beginOn(db)
      await first.step((tx) => tx.contentDeliveries.lock(row.id, "update"))
      expect(await sweep()).toBe(0)
      await first.rollBack()
      expect(await sweep()).toBe(1)
    })
  })

/** What a project promises about what was delivered on a day. */
export const todaysContentContract = (open: Open) =>
  describe("content of a day", () => {
    let db: DatabaseUnderTest<TenantDb>
    let tools: ReturnType<typeof makeTools>
    beforeAll(async () => {
      db = await open()
      tools = makeTools(db)
    })

    it("is what was delivered in it and the reader sees, the last delivered first [I1.3a, I6.3]", async () => {
      const [id, author] = [await tools.library(), await db.transact(writeUser)]
      const morning = await tools.schedule(id, { name: "Morning", schedule_type: "random" })
      const evening = await tools.schedule(id, { name: "Evening", is_active: false })
      const item = await tools.item(id, { title: "One" })
      const written = await tools.item(id, { owner_app_user_id: author })
      const held = await tools.item(id, { owner_app_user_id: author, moderation: "held" })
      const hidden = [
        held,
        await tools.item(id, { is_active: false }),
        await tools.item(id, { owner_app_user_id: author, is_active: false, moderation: "held" }),
        await tools.item(id, { owner_app_user_id: author, moderation: "rejected" }),
      ]
      await tools.deliver(morning.id, item.id, { delivered_at: at(0) })
      await tools.deliver(morning.id, written.id, { delivered_at: at(5) })
      await tools.deliver(evening.id, item.id, { delivered_at: at(99) })
      await tools.deliver(evening.id, item.id, { delivered_at: at(-1) })
      await tools.deliver(evening.id, item.id, { delivered_at: at(100) })
      for (const { id: hiddenId } of hidden) await tools.deliver(morning.id, hiddenId, { delivered_at: at(50) })
      const pageOf = (reader: string, limit: number, offset: number) =>
        db.read((tx) => tx.contentDeliveries.pageBetween(at(0), at(100), reader, { limit, offset }))
      const page = (limit: number, offset: number) => pageOf(anId(), limit, offset)
      const named = (schedule: ContentScheduleRow) => ({
        schedule_name: schedule.name,
        schedule_type: schedule.schedule_type,
      })
      const rows = [
        { ...named(evening), delivered_at: at(99), ...item },
        { ...named(morning), delivered_at: at(5), ...written },
        { ...named(morning), delivered_at: at(0), ...item },
      ]
      expect(await page(10, 0)).toStrictEqual({ rows, total: 3 })
      expect(await page(1, 1)).toStrictEqual({ rows: rows.slice(1, 2), total: 3 })
      expect(await page(5, 3)).toStrictEqual({ rows: [], total: 3 })
      const own = { ...named(morning), delivered_at: at(50), ...held }
      expect(await pageOf(author, 10, 0)).toStrictEqual({ rows: [rows[0], own, ...rows.slice(1)], total: 4 })
    })
  })
