import type { TenantDb } from "@hearth/core"
import { type ContentItem, contentItemsSection, type ItemFilter, type UnplacedItem } from "@hearth/core/content"
import { Effect, Option, Struct } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardJson, awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { readAllPages } from "../exports/exports.contract.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aContentItem, aContentLibrary } from "./builders.ts"
import { writeLibrary } from "./tables.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)
const all = { limit: 100, offset: 0 }
const byDevelopers: ItemFilter = { reader: null, category: null }

const unplaced = (library_id: string, given: Partial<UnplacedItem> = {}): UnplacedItem =>
  Struct.omit(aContentItem({ library_id, ...given }), ["sort_order"])

const makeTools = (db: DatabaseUnderTest<TenantDb>) => ({
  user: () => db.transact(writeUser),
  library: () => db.transact(writeLibrary),
  item: async (library_id: string, given: Partial<ContentItem> = {}) => {
    const row = aContentItem({ library_id, ...given })
    await db.transact((tx) => Effect.orDie(tx.contentItems.insert(row)))
    return row
  },
  /** Appends as use cases do: under the lock of the library. */
  append: (libraryId: string, items: ReadonlyArray<UnplacedItem>) =>
    db.transact((tx) => Effect.andThen(tx.contentLibraries.lock(libraryId), tx.contentItems.append(libraryId, items))),
  orders: async (library_id: string) =>
    (await db.read((tx) => tx.contentItems.list({ library_id }, [["sort_order", "asc"]]))).map(
      ({ sort_order }) => sort_order,
    ),
  page: async (libraryId: string, filter: ItemFilter, slice = all) => {
    const { rows, total } = await db.read((tx) => tx.contentItems.pageOfLibrary(libraryId, filter, slice))
    return { ids: rows.map(({ id }) => id), total }
  },
})

/** What a project promises about libraries, beyond their table. */
export const contentLibrariesContract = (open: Open) =>
  describe("content libraries", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.contentLibraries.remove({})))

    it("are listed with how many items they have, the oldest first", async () => {
      const { item } = makeTools(db)
      const [young, old] = [aContentLibrary({ created_at: at(1) }), aContentLibrary({ created_at: at(0) })]
      for (const row of [young, old]) await db.transact((tx) => Effect.orDie(tx.contentLibraries.insert(row)))
      await item(young.id)
      await item(young.id, { is_active: false, moderation: "rejected" })
      const page = (limit: number, offset: number) =>
        db.read((tx) => tx.contentLibraries.pageWithCounts({ limit, offset }))
      const [first, second] = [
        { ...old, item_count: 0 },
        { ...young, item_count: 2 },
      ]
      expect(await page(10, 0)).toStrictEqual({ rows: [first, second], total: 2 })
      expect(await page(1, 1)).toStrictEqual({ rows: [second], total: 2 })
      expect(await page(1, 2)).toStrictEqual({ rows: [], total: 2 })
    })

    it("take their items with them, all at once or some at a time", async () => {
      const { library, item, orders } = makeTools(db)
      const [one, other] = [await library(), await library()]
      for (const id of [one, one, one, other]) await item(id)
      expect(await db.transact((tx) => tx.contentItems.removeSome(one, 2))).toBe(2)
      expect(await orders(one)).toHaveLength(1)
      await db.transact((tx) => tx.contentLibraries.remove({ id: one }))
      expect([await orders(one), await orders(other)]).toEqual([[], [1]])
      expect(await db.transact((tx) => tx.contentItems.removeSome(other, 2))).toBe(1)
      expect(await db.transact((tx) => tx.contentItems.removeSome(other, 2))).toBe(0)
    })
  })

/** What a project promises about items, beyond their table. */
export const contentItemsContract = (open: Open) =>
  describe("content items", () => {
    let db: DatabaseUnderTest<TenantDb>
    let tools: ReturnType<typeof makeTools>
    beforeAll(async () => {
      db = await open()
      tools = makeTools(db)
    })

    it("come last in their library, in their order and as they were given [I1.2]", async () => {
      const { append, library } = tools
      const [one, other] = [await library(), await library()]
      const given = [
        unplaced(one, { title: awkwardText, body: awkwardText, media_url: awkwardText, category: awkwardText }),
        unplaced(one, { tags: [awkwardText, ""], metadata: awkwardJson, is_premium: true, created_at: at(1) }),
        unplaced(one, { is_active: false, moderation: "held", owner_app_user_id: await tools.user() }),
      ]
      expect(await append(one, given)).toBe(1)
      expect(await append(other, [unplaced(other)])).toBe(1)
      expect(await append(one, [unplaced(one)])).toBe(4)
      const stored = await db.read((tx) => tx.contentItems.list({ library_id: one }, [["sort_order", "asc"]]))
      expect(stored.slice(0, 3)).toStrictEqual(given.map((row, index) => ({ ...row, sort_order: index + 1 })))
      expect(stored.at(3)?.sort_order).toBe(4)
    })

    it("follow the highest number there is, whatever was set [I1.2]", async () => {
      const { append, item, library, orders } = tools
      const [below, above] = [await library(), await library()]
      await item(below, { sort_order: -1_000_000_000 })
      await item(above, { sort_order: 1_000_000_000, is_active: false })
      expect(await append(below, [unplaced(below)])).toBe(-999_999_999)
      expect(await append(above, [unplaced(above), unplaced(above)])).toBe(1_000_000_001)
      expect(await orders(above)).toEqual([1_000_000_000, 1_000_000_001, 1_000_000_002])
    })

    it("are numbered without gaps, however many come at once [I1.2]", async () => {
      const { append, library, orders } = tools
      const id = await library()
      const batches = Array.from({ length: 20 }, (_, turn) =>
        Array.from({ length: 1 + (turn % 5) }, () => unplaced(id)),
      )
      const firsts = await Promise.all(batches.map((items) => append(id, items)))
      const numbers = await orders(id)
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
      const claimed = batches.flatMap((items, turn) => items.map((_, index) => (firsts[turn] ?? 0) + index))
      expect(claimed.sort((a, b) => a - b)).toEqual(numbers)
    })

    it("are refused where none is given, and where their library is not there", async () => {
      const id = await tools.library()
      const append = (libraryId: string, items: ReadonlyArray<UnplacedItem>) =>
        db.attempt((tx) => tx.contentItems.append(libraryId, items))
      expect(died(await append(id, []))).toBe(true)
      const gone = anId()
      expect(died(await append(gone, [unplaced(gone)]))).toBe(true)
    })

    it("are listed where they are active, by number and id, for who may see them [I1.2, I6.3]", async () => {
      const { item, library, page, user } = tools
      const [id, author, other] = [await library(), await user(), await user()]
      const second = await item(id, { sort_order: 2 })
      const twins = [await item(id, { sort_order: 1 }), await item(id, { sort_order: 1, category: "a" })]
      const own = { sort_order: 3, owner_app_user_id: author } as const
      const held = await item(id, { ...own, moderation: "held", category: "a" })
      const rejected = await item(id, { ...own, sort_order: 4, moderation: "rejected" })
      const shown = await item(id, { ...own, sort_order: 5, category: "b" })
      const inactive = await item(id, { ...own, is_active: false })
      await item(await library())
      const everybody = [...twins.map((row) => row.id).sort(), second.id]
      const read = (reader: string | null, category: string | null = null) => page(id, { reader, category })
      expect(await read(null)).toEqual({ ids: [...everybody, held.id, rejected.id, shown.id], total: 6 })
      expect(await read(author)).toEqual({ ids: [...everybody, held.id, shown.id], total: 5 })
      expect(await read(other)).toEqual({ ids: [...everybody, shown.id], total: 4 })
      expect(await read(author, "a")).toEqual({ ids: [twins[1]?.id, held.id], total: 2 })
      expect(await read(other, "a")).toEqual({ ids: [twins[1]?.id], total: 1 })
      expect(await read(null, "c")).toEqual({ ids: [], total: 0 })
      expect(await page(id, { reader: other, category: null }, { limit: 2, offset: 1 })).toEqual({
        ...{ ids: [everybody[1], second.id], total: 4 },
      })
      expect(await page(id, byDevelopers, { limit: 5, offset: 6 })).toEqual({ ids: [], total: 6 })
      expect(await page(anId(), byDevelopers)).toEqual({ ids: [], total: 0 })
      expect(await page(id, { ...byDevelopers, is_active: false })).toEqual({ ids: [inactive.id], total: 1 })
    })

    it("are counted for their author, and are nobody's after that [I0.2, I0.4]", async () => {
      const { item, library, user } = tools
      const [id, author, other] = [await library(), await user(), await user()]
      const own = [
        await item(id, { owner_app_user_id: author }),
        await item(id, { owner_app_user_id: author, is_active: false }),
        await item(id, { owner_app_user_id: author, moderation: "held" }),
      ]
      await item(id, { owner_app_user_id: other })
      const count = (userId: string) => db.read((tx) => tx.contentItems.countOwned(userId))
      const owner = async (itemId: string | undefined) =>
        Option.getOrThrow(await db.read((tx) => tx.contentItems.find({ id: String(itemId) }))).owner_app_user_id
      expect([await count(author), await count(other), await count(anId())]).toEqual([3, 1, 0])
      expect(await db.transact((tx) => tx.contentItems.release(author, 2))).toBe(2)
      expect(await count(author)).toBe(1)
      await db.transact((tx) => tx.users.remove({ id: author }))
      expect(await Promise.all(own.map((row) => owner(row.id)))).toEqual([null, null, null])
      expect([await count(author), await count(other)]).toEqual([0, 1])
    })

    it("of users are found, the newest first", async () => {
      const { item, library, user } = tools
      await db.transact((tx) => tx.contentItems.remove({}))
      const [id, author] = [await library(), await user()]
      const own = { owner_app_user_id: author }
      const old = await item(id, { ...own, created_at: at(0) })
      const young = await item(id, { ...own, created_at: at(1), is_active: false, moderation: "rejected" })
      await item(id, { created_at: at(2) })
      const newest = (limit: number) => db.read((tx) => tx.contentItems.newestOfUsers(limit))
      const [first, second] = [young, old].map(({ id, created_at }) => ({ id, created_at }))
      expect(await newest(10)).toStrictEqual([first, second])
      expect(await newest(1)).toStrictEqual([first])
    })
  })

const writeOwn = Effect.fnUntraced(function* (db: TenantDb) {
  const [userId, library_id] = [yield* writeUser(db), yield* writeLibrary(db)]
  const rows = [
    aContentItem({ library_id, owner_app_user_id: userId, title: awkwardText, metadata: awkwardJson }),
    aContentItem({ library_id, owner_app_user_id: userId, tags: [awkwardText], moderation: "held", is_active: false }),
  ]
  yield* Effect.forEach(rows, db.contentItems.insert)
  return { userId, rows }
})

/** What a project promises about what a user has written in the file about them. */
export const contentItemsSectionContract = sectionContract(contentItemsSection, writeOwn)

/** What a project promises about long items in the file about a user. */
export const longItemsContract = (open: Open) =>
  describe("long content items", () => {
    it("are exported in pages of about the size that is asked for [E13]", async () => {
      const db = await open()
      const { item, library, user } = makeTools(db)
      const [id, author] = [await library(), await user()]
      for (const letter of "abcdefghij") await item(id, { owner_app_user_id: author, body: letter.repeat(20_000) })
      const budget = { rows: 1_000, bytes: 50_000 }
      const pages = await readAllPages((after) =>
        db.read((tx) => tx.exports.section(contentItemsSection, author, after, budget)),
      )
      expect(pages.map(({ rows }) => rows)).toEqual([3, 3, 3, 1])
    })
  })
