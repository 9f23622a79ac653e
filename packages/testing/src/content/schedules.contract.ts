import type { TenantDb } from "@hearth/core"
import type { ContentItem, ContentScheduleRow, DrawFrom } from "@hearth/core/content"
import { Effect, Option } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
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
      let [inside, most] = [0, 0]
      const enter = (tx: TenantDb) =>
        Effect.gen(function* () {
          yield* tx.contentSchedules.lockCreation()
          inside += 1
          most = Math.max(most, inside)
          yield* Effect.sleep("10 millis")
          inside -= 1
        })
      await Promise.all(Array.from({ length: 4 }, () => db.transact(enter)))
      expect(most).toBe(1)
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
        db.read((tx) => tx.contentDeliveries.listAfter({ library_id: id, include_authored }, after, limit))
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

    it("can be counted and drawn, without those of the round and without one [I1.3]", async () => {
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
      const count = (round: number, last: string | null) =>
        db.read((tx) => tx.contentDeliveries.countDrawable({ ...from, schedule_id, round }, last))
      expect(await count(1, a)).toEqual({ unseen: 2, all: 3, hasLast: true })
      expect(await count(2, null)).toEqual({ unseen: 3, all: 3, hasLast: false })
      expect(await count(1, hidden.id)).toEqual({ unseen: 2, all: 3, hasLast: false })
      const empty = { library_id: await tools.library(), include_authored: true, schedule_id, round: 1 }
      const counted = await db.read((tx) => tx.contentDeliveries.countDrawable(empty, a))
      expect(counted).toEqual({ unseen: 0, all: 0, hasLast: false })
      const draw = async (given: Pick<DrawFrom, "unseenIn" | "not">, index: number) =>
        (await db.read((tx) => tx.contentDeliveries.findDrawable({ ...from, ...given }, index)))?.id
      const drawAll = (given: Pick<DrawFrom, "unseenIn" | "not">) =>
        Promise.all([0, 1, 2, 3].map((index) => draw(given, index)))
      expect(await drawAll({ unseenIn: null, not: null })).toEqual([a, b, c, undefined])
      expect(await drawAll({ unseenIn: { schedule_id, round: 1 }, not: null })).toEqual([b, c, undefined, undefined])
      expect(await drawAll({ unseenIn: { schedule_id, round: 0 }, not: c })).toEqual([
        a,
        undefined,
        undefined,
        undefined,
      ])
      expect(await drawAll({ unseenIn: null, not: b })).toEqual([a, c, undefined, undefined])
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

    it("is what was delivered in it and can be seen, the last delivered first [I1.3a]", async () => {
      const [id, author] = [await tools.library(), await db.transact(writeUser)]
      const morning = await tools.schedule(id, { name: "Morning", schedule_type: "random" })
      const evening = await tools.schedule(id, { name: "Evening", is_active: false })
      const item = await tools.item(id, { title: "One" })
      const written = await tools.item(id, { owner_app_user_id: author })
      const hidden = [
        await tools.item(id, { is_active: false }),
        await tools.item(id, { owner_app_user_id: author, moderation: "held" }),
        await tools.item(id, { owner_app_user_id: author, moderation: "rejected" }),
      ]
      await tools.deliver(morning.id, item.id, { delivered_at: at(0) })
      await tools.deliver(morning.id, written.id, { delivered_at: at(5) })
      await tools.deliver(evening.id, item.id, { delivered_at: at(99) })
      await tools.deliver(evening.id, item.id, { delivered_at: at(-1) })
      await tools.deliver(evening.id, item.id, { delivered_at: at(100) })
      for (const { id: hiddenId } of hidden) await tools.deliver(morning.id, hiddenId, { delivered_at: at(50) })
      const page = (limit: number, offset: number) =>
        db.read((tx) => tx.contentDeliveries.pageBetween(at(0), at(100), { limit, offset }))
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
    })
  })
