import type { TenantDb } from "@hearth/core"
import { departReviews, type Review, type ReviewableItemRow, type ReviewFilter } from "@hearth/core/reviews"
import { Effect, Exit, Option } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { aUser } from "../users/builders.ts"
import { writeUser } from "../users/tables.ts"
import { aReview, aReviewableItem } from "./builders.ts"
import { writeReviewableItem } from "./tables.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)
const all = { limit: 50, offset: 0 }

const useDatabase = (open: Open) => {
  let db: DatabaseUnderTest<TenantDb>
  beforeEach(async () => {
    db = await open()
  })
  const change = <A>(work: (tx: TenantDb) => Effect.Effect<A, unknown>) => db.transact((tx) => Effect.orDie(work(tx)))
  return {
    change,
    read: <A>(work: (tx: TenantDb) => Effect.Effect<A>) => db.read(work),
    begin: () => beginOn(db),
    user: () => change(writeUser),
    item: (given: Partial<ReviewableItemRow> = {}) => change((tx) => writeReviewableItem(tx, given)),
    review: async (app_user_id: string, reviewable_item_id: string, given: Partial<Review> = {}) => {
      const row = aReview({ ...given, app_user_id, reviewable_item_id })
      await change((tx) => tx.reviews.insert(row))
      return row
    },
  }
}

/** What a project promises about what is reviewed, beyond the table. */
export const reviewableItemsContract = (open: Open) =>
  describe("reviewable items", () => {
    const { change, read, begin, user, item, review } = useDatabase(open)
    const find = (id: string) => read((tx) => Effect.map(tx.reviewableItems.find({ id }), Option.getOrThrow))

    it("are made once for a type and an id, and answered as they are [I5.1]", async () => {
      const first = aReviewableItem({ item_type: "book", item_id: "1" })
      const again = aReviewableItem({ item_type: "book", item_id: "1" })
      expect(await change((tx) => tx.reviewableItems.lockOrInsert(first))).toStrictEqual(first)
      expect(await change((tx) => tx.reviewableItems.lockOrInsert(again))).toStrictEqual(first)
      for (const other of [{ item_type: "Book" }, { item_id: "1 " }]) {
        const row = { ...aReviewableItem(), item_type: "book", item_id: "1", ...other }
        expect(await change((tx) => tx.reviewableItems.lockOrInsert(row))).toStrictEqual(row)
      }
    })

    it("are made once by two who come at the same time: the second waits for the first", async () => {
      const [row, other] = [1, 2].map(() => aReviewableItem({ item_id: "same" })) as [
        ReviewableItemRow,
        ReviewableItemRow,
      ]
      const [first, second] = [begin(), begin()]
      await first.step((tx) => tx.reviewableItems.lockOrInsert(row))
      const waiting = second.step((tx) => tx.reviewableItems.lockOrInsert(other))
      expect(await isWaiting(waiting)).toBe(true)
      await first.commit()
      expect(await waiting).toStrictEqual(Exit.succeed(row))
      await second.commit()
    })

    it("are made by the second where the first is rolled back", async () => {
      const [row, other] = [1, 2].map(() => aReviewableItem({ item_id: "same" })) as [
        ReviewableItemRow,
        ReviewableItemRow,
      ]
      const [first, second] = [begin(), begin()]
      await first.step((tx) => tx.reviewableItems.lockOrInsert(row))
      const waiting = second.step((tx) => tx.reviewableItems.lockOrInsert(other))
      await isWaiting(waiting)
      await first.rollBack()
      expect(await waiting).toStrictEqual(Exit.succeed(other))
      await second.commit()
    })

    it("that are there are locked, so that ratings are changed one after the other [I5.2]", async () => {
      const id = await item({ item_id: "busy" })
      const [first, second] = [begin(), begin()]
      const row = aReviewableItem({ item_id: "busy" })
      await first.step((tx) => tx.reviewableItems.lockOrInsert(row))
      await first.step((tx) => tx.reviewableItems.writeRatings([{ id, rating_sum: 5, review_count: 1, avg_rating: 5 }]))
      const waiting = second.step((tx) => tx.reviewableItems.lockOrInsert(row))
      expect(await isWaiting(waiting)).toBe(true)
      await first.commit()
      const after = await find(id)
      expect(await waiting).toStrictEqual(Exit.succeed(after))
      expect(after).toMatchObject({ rating_sum: 5, review_count: 1, avg_rating: 5 })
      await second.commit()
    })

    it("have their ratings written, many at once, and nothing else", async () => {
      const [one, two, other] = [await item(), await item(), await item()]
      const before = await find(other)
      await change((tx) =>
        tx.reviewableItems.writeRatings([
          { id: one, rating_sum: 10, review_count: 3, avg_rating: 3.33 },
          { id: two, rating_sum: 0, review_count: 0, avg_rating: null },
          { id: anId(), rating_sum: 1, review_count: 1, avg_rating: 1 },
        ]),
      )
      expect(await find(one)).toMatchObject({ rating_sum: 10, review_count: 3, avg_rating: 3.33 })
      expect(await find(two)).toMatchObject({ rating_sum: 0, review_count: 0, avg_rating: null })
      expect(await find(other)).toStrictEqual(before)
      await change((tx) => tx.reviewableItems.writeRatings([]))
    })

    it("are locked where a user has reviewed them, by id, up to a number", async () => {
      const [ada, bob] = [await user(), await user()]
      const ids = [await item(), await item(), await item()]
      for (const id of ids.toReversed()) await review(ada, id)
      await review(bob, await item())
      const first = begin()
      const locked = await first.step((tx) => tx.reviewableItems.lockReviewedBy(ada.toUpperCase(), 2))
      expect(Exit.isSuccess(locked) && locked.value.map(({ id }) => id)).toEqual(ids.slice(0, 2))
      const lock = (id: string) => change((tx) => tx.reviewableItems.lock(id))
      expect(await isWaiting(lock(ids[2] ?? ""), false)).toBe(false)
      const second = lock(ids[1] ?? "")
      expect(await isWaiting(second)).toBe(true)
      await first.rollBack()
      await second
      expect(await change((tx) => tx.reviewableItems.lockReviewedBy(anId(), 2))).toEqual([])
    })
  })

/** What a project promises about reviews, beyond the table. */
export const reviewsContract = (open: Open) =>
  describe("reviews", () => {
    const { change, read, user, item, review } = useDatabase(open)
    const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

    it("of an item are seen where they are approved and shown, and one's own always [I5.3]", async () => {
      const [book, other] = [await item(), await item()]
      const ada = aUser({ display_name: "Ada", avatar_url: "https://example.com/a.png" })
      await change((tx) => tx.users.insert(ada))
      const writers = await Promise.all(Array.from({ length: 5 }, user))
      const [w0 = "", w1 = "", w2 = "", w3 = "", w4 = ""] = writers
      const mine = await review(ada.id, book, { moderation: "held", created_at: at(1) })
      const early = await review(w0, book, { is_approved: true, created_at: at(0) })
      const late = await review(w1, book, { is_approved: true, created_at: at(2) })
      const same = await review(w2, book, { is_approved: true, created_at: at(2) })
      await review(w3, book, { created_at: at(3) })
      await review(w4, book, { is_approved: true, moderation: "held", created_at: at(3) })
      await review(w4, other, { is_approved: true })
      const page = (userId: string, slice = all) => read((tx) => tx.reviews.pageOfItem(book, userId, slice))
      const seen = await page(ada.id.toUpperCase())
      expect([ids(seen.rows), seen.total]).toEqual([[same.id, late.id, mine.id, early.id], 4])
      expect(seen.rows[2]).toStrictEqual({
        ...mine,
        app_users: { id: ada.id, display_name: "Ada", avatar_url: "https://example.com/a.png" },
      })
      expect(ids((await page(w0)).rows)).toEqual([same.id, late.id, early.id])
      const cut = await page(ada.id, { limit: 2, offset: 1 })
      expect([ids(cut.rows), cut.total]).toEqual([[late.id, mine.id], 4])
      expect(await page(ada.id, { limit: 2, offset: 9 })).toEqual({ rows: [], total: 4 })
      expect(await read((tx) => tx.reviews.pageOfItem(anId(), ada.id, all))).toEqual({ rows: [], total: 0 })
    })

    it("of all items are listed with author and item, by approval and rating [I5.2]", async () => {
      const ada = await user()
      const [book, film] = [await item(), await item({ item_type: "film", item_id: "f-1" })]
      const waiting = await review(ada, book, { created_at: at(1), rating: 2 })
      const approved = await review(ada, film, { is_approved: true, created_at: at(1), body: "long" })
      const page = (
        is_approved: boolean | null,
        slice = all,
        [rating_min, rating_max]: readonly [number, number] = [1, 5],
      ) =>
        read((tx) =>
          tx.reviews.pageOfAll({ ...(is_approved === null ? {} : { is_approved }), rating_min, rating_max }, slice),
        )
      const listed = await page(null)
      expect([ids(listed.rows), listed.total]).toEqual([[approved.id, waiting.id], 2])
      expect(listed.rows[0]).toStrictEqual({
        ...approved,
        app_users: { id: ada, display_name: expect.any(String), avatar_url: null },
        reviewable_items: { item_type: "film", item_id: "f-1" },
      })
      expect(ids((await page(true)).rows)).toEqual([approved.id])
      expect(ids((await page(false)).rows)).toEqual([waiting.id])
      expect(ids((await page(null, all, [2, 2])).rows)).toEqual([waiting.id])
      expect(await page(true, all, [1, 2])).toEqual({ rows: [], total: 0 })
      expect((await page(false, all, [1, 2])).total).toBe(1)
      expect(await page(null, { limit: 1, offset: 1 })).toMatchObject({ rows: [{ id: waiting.id }], total: 2 })
      expect(ids(await read((tx) => tx.reviews.newest(1)))).toEqual([approved.id])
      expect(await read((tx) => tx.reviews.newest(9))).toStrictEqual(
        [approved, waiting].map(({ id, created_at }) => ({ id, created_at })),
      )
    })

    it("of all items go on after a place, whatever comes and goes meanwhile", async () => {
      const [writers, book] = [[await user(), await user(), await user(), await user(), await user()], await item()]
      for (const [n, writer] of writers.entries())
        await review(writer, book, { created_at: at(n % 3), is_approved: n > 0, rating: n + 1 })
      const any = { rating_min: 1, rating_max: 5 }
      const { rows } = await read((tx) => tx.reviews.pageOfAll(any, all))
      const [, second, third] = rows
      const readOn = async (place: typeof second, filter: Partial<ReviewFilter> = {}, offset = 0) => {
        const slice = { limit: 2, offset }
        const mark = { at: place?.created_at ?? at(0), id: place?.id ?? "" }
        return (await read((tx) => tx.reviews.listOfAll({ ...any, ...filter }, mark, slice))).rows
      }
      expect(await readOn(second)).toStrictEqual(rows.slice(2, 4))
      expect(await readOn(second, {}, 2)).toStrictEqual(rows.slice(4))
      expect(await readOn(second, { is_approved: false })).toStrictEqual(rows.filter((each) => !each.is_approved))
      expect(await readOn(second, { rating_min: 6, rating_max: 6 })).toEqual([])
      expect(await readOn(rows[4])).toEqual([])
      await review(await user(), book, { created_at: at(9) })
      for (const gone of [second, third]) await change((tx) => tx.reviews.remove({ id: gone?.id ?? "" }))
      expect(await readOn(second)).toStrictEqual(rows.slice(3))
    })

    it("are counted by user, and by rating and approval [I0.2, I5.2]", async () => {
      expect(await read((tx) => tx.reviews.countRatings())).toEqual([])
      const [ada, bob] = [await user(), await user()]
      const [book, film] = [await item(), await item()]
      await review(ada, book, { rating: 5, is_approved: true })
      await review(ada, film, { rating: 5 })
      await review(bob, film, { rating: 5, is_approved: true })
      const counts = await read((tx) => tx.reviews.countRatings())
      expect(counts.toSorted((one, other) => one.count - other.count)).toStrictEqual([
        { rating: 5, is_approved: false, count: 1 },
        { rating: 5, is_approved: true, count: 2 },
      ])
      expect(await read((tx) => tx.reviews.count(ada.toUpperCase()))).toBe(2)
      expect(await read((tx) => tx.reviews.count(anId()))).toBe(0)
    })

    it("are removed of a user and items, and answered as they were [I0.4]", async () => {
      const [ada, bob] = [await user(), await user()]
      const [book, film, song] = [await item(), await item(), await item()]
      const [first, second] = [
        await review(ada, book, { rating: 2, is_approved: true }),
        await review(ada, film, { rating: 3 }),
      ]
      const kept = [await review(ada, song), await review(bob, book)]
      const gone = await change((tx) => tx.reviews.removeOf(ada, [book.toUpperCase(), film, anId()]))
      expect(gone.toSorted((one, other) => one.rating - other.rating)).toStrictEqual([
        { id: first.id, reviewable_item_id: book, rating: 2, is_approved: true },
        { id: second.id, reviewable_item_id: film, rating: 3, is_approved: false },
      ])
      expect(ids(await read((tx) => tx.reviews.newest(9))).toSorted()).toEqual(ids(kept).toSorted())
      expect(await change((tx) => tx.reviews.removeOf(ada, []))).toEqual([])
    })

    it("of a user who departs go in pieces, and the averages follow [I0.4]", async () => {
      const [ada, bob] = [await user(), await user()]
      const counted = { rating_sum: 9, review_count: 2, avg_rating: 4.5 }
      const items: Array<string> = []
      for (let n = 0; n < 501; n += 1) items.push(await item(n === 500 ? counted : {}))
      const [book = "", last = ""] = [items[0], items[500]]
      await change((tx) =>
        Effect.forEach(items.slice(0, 500), (id) =>
          tx.reviews.insert(aReview({ app_user_id: ada, reviewable_item_id: id })),
        ),
      )
      await review(ada, last, { rating: 5, is_approved: true })
      await review(bob, last, { rating: 4, is_approved: true })
      await review(bob, book)
      const depart = () => change((tx) => departReviews(tx, ada))
      expect(await depart()).toBe(true)
      expect(await read((tx) => tx.reviews.count(ada))).toBe(1)
      expect(await depart()).toBe(false)
      expect(await depart()).toBe(false)
      expect(await read((tx) => tx.reviews.count(ada))).toBe(0)
      expect(await read((tx) => tx.reviews.count(bob))).toBe(2)
      const rows = await read((tx) => tx.reviewableItems.list({ review_count: 1 }, []))
      expect(rows).toMatchObject([{ id: last, rating_sum: 4, avg_rating: 4 }])
    })
  })
