import type { TenantDb } from "@hearth/core"
import type { NewEvent } from "@hearth/core/events"
import {
  type ExportedUsers,
  type ExportFormat,
  eventExportColumns,
  lineIn,
  type PageBudget,
  type PageKey,
  reviewExportColumns,
  type TextPage,
  userExportColumns,
} from "@hearth/core/exports"
import type { PushToken } from "@hearth/core/push"
import type { Review } from "@hearth/core/reviews"
import type { UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, earlyInstant, lateInstant } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { anEvent } from "../events/builders.ts"
import { aPushToken } from "../push/builders.ts"
import { aReview, aReviewableItem } from "../reviews/builders.ts"
import { aSegment } from "../segments/builders.ts"
import { aUser } from "../users/builders.ts"

const formats: ReadonlyArray<ExportFormat> = ["csv", "ndjson"]

/** Texts that a file with commas, lines and quotes gets wrong, or that a spreadsheet would run [E13]. */
const trickyTexts = [
  ...["", " ", ",", '"', '""', "a,b", "a\nb", "a\r\nb", "\\N", "\\", "null", "'", awkwardText],
  ...["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", " =1", "\n=1", "a=1", "＝1", "é", "🦊", "\u007f\b\f"],
]

/** Reads a file from its first page to its last. Calls `afterPage` after each. */
export const readAllPages = async (
  read: (after: PageKey | null) => Promise<TextPage>,
  afterPage: () => Promise<unknown> = async () => {},
): Promise<ReadonlyArray<TextPage>> => {
  const pages: Array<TextPage> = []
  let after: PageKey | null = null
  do {
    const page: TextPage = await read(after)
    pages.push(page)
    after = page.next
    await afterPage()
  } while (after !== null)
  return pages
}

const textOf = (pages: ReadonlyArray<TextPage>) => pages.flatMap(({ texts }) => texts).join("")
const usual: PageBudget = { rows: 1_000, bytes: 1_000_000 }

/** What a project promises about files of users and of events. */
export const exportsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("exports", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeEach(async () => {
      db = await open()
    })

    const addUsers = (...users: ReadonlyArray<UserRow>) =>
      db.transact((tx) => Effect.orDie(Effect.forEach(users, (user) => tx.users.insert(user), { discard: true })))
    const addTokens = (...tokens: ReadonlyArray<PushToken>) =>
      db.transact((tx) => Effect.orDie(Effect.forEach(tokens, (token) => tx.pushTokens.insert(token))))
    const addEvents = (...events: ReadonlyArray<NewEvent>) =>
      db.read((tx) => tx.events.insert(events, { enqueue: false }))
    const users = (format: ExportFormat, budget = usual, given: Partial<ExportedUsers> = {}) => {
      const filter = { since: null, segment_id: null, ...given }
      return readAllPages((after) => db.read((tx) => tx.exports.users(format, filter, after, budget)))
    }
    const userLine = (format: ExportFormat, user: UserRow, platforms: ReadonlyArray<string> = [], count = 0) =>
      lineIn(format)(userExportColumns, { ...user, platform_strings: platforms, push_token_count: count })

    it.for(formats)("has every user once, by id, in the same lines as core writes: %s", async (format) => {
      const tricky = trickyTexts.map((text, at) =>
        aUser({ email: text, anonymous_id: text, properties: { [text]: at } }),
      )
      const edges = [
        aUser({ properties: awkwardJson, created_at: earlyInstant, last_seen_at: awkwardInstant }),
        aUser({
          properties: { 10: 1, 9: [1e21, 1e-7, -1.5e-9, 1e22], a: { bb: null, c: "=1" } },
          created_at: lateInstant,
        }),
      ]
      const all = [...tricky, ...edges]
      await addUsers(...all.toReversed())
      expect(textOf(await users(format))).toBe(all.map((user) => userLine(format, user)).join(""))
    })

    it.for(formats)("counts the active devices of a user, and has their platforms once: %s", async (format) => {
      const [many, one, none] = [aUser(), aUser(), aUser()]
      await addUsers(many, one, none)
      const platforms = ["web", "ios", "web", "ios"] as const
      await addTokens(...platforms.map((platform) => aPushToken({ app_user_id: many.id, platform })))
      await addTokens(aPushToken({ app_user_id: many.id, platform: "android", is_active: false }))
      await addTokens(aPushToken({ app_user_id: one.id, platform: "android" }))
      await addTokens(aPushToken({ app_user_id: none.id, is_active: false }))
      const lines = [
        userLine(format, many, ["ios", "web"], 4),
        userLine(format, one, ["android"], 1),
        userLine(format, none),
      ]
      expect(textOf(await users(format))).toBe(lines.join(""))
    })

    it("is empty without users", async () => {
      expect(await users("ndjson")).toEqual([{ texts: [], rows: 0, next: null }])
    })

    it("has the users from `since` on", async () => {
      const [before, at, after] = [-1, 0, 1].map((ms) => aUser({ created_at: new Date(awkwardInstant.getTime() + ms) }))
      await addUsers(before as UserRow, at as UserRow, after as UserRow)
      const lines = [at, after].map((user) => userLine("csv", user as UserRow))
      expect(textOf(await users("csv", usual, { since: awkwardInstant }))).toBe(lines.join(""))
      expect(textOf(await users("csv", { rows: 1, bytes: 1 }, { since: awkwardInstant }))).toBe(lines.join(""))
    })

    it("has the members of a segment, also those from `since` on", async () => {
      const [one, two, other] = [
        aUser({ created_at: awkwardInstant }),
        aUser({ created_at: new Date(awkwardInstant.getTime() - 1) }),
        aUser(),
      ]
      await addUsers(one, two, other)
      const segment = aSegment()
      await db.transact((tx) =>
        Effect.andThen(
          Effect.orDie(tx.segments.insert(segment)),
          tx.segmentMembers.add([segment.id], [one.id, two.id], awkwardInstant),
        ),
      )
      const segment_id = segment.id.toUpperCase()
      const lines = (...members: ReadonlyArray<UserRow>) => members.map((user) => userLine("csv", user)).join("")
      expect(textOf(await users("csv", usual, { segment_id }))).toBe(lines(one, two))
      expect(textOf(await users("csv", { rows: 1, bytes: 1 }, { segment_id }))).toBe(lines(one, two))
      expect(textOf(await users("csv", usual, { segment_id, since: awkwardInstant }))).toBe(lines(one))
      expect(textOf(await users("csv", usual, { segment_id: anId() }))).toBe("")
    })

    it("keeps to its budget in rows and in bytes, for rows of any size", async () => {
      const all = Array.from({ length: 60 }, (_, at) =>
        aUser({ properties: at % 7 === 0 ? { text: "é".repeat(2_000 + at), random: anId() } : {} }),
      )
      await addUsers(...all)
      const text = all.map((user) => userLine("ndjson", user)).join("")
      for (const budget of [
        { rows: 1, bytes: 1_000_000 },
        { rows: 7, bytes: 1_000_000 },
        { rows: 60, bytes: 3_000 },
        { rows: 60, bytes: 1 },
      ]) {
        const pages = await users("ndjson", budget)
        expect(textOf(pages)).toBe(text)
        for (const page of pages) {
          expect(page.rows).toBeLessThanOrEqual(budget.rows)
          expect(page.texts.every((each) => each.endsWith("\n"))).toBe(true)
          const whole = page.texts.join("")
          expect(whole.split("\n")).toHaveLength(page.rows + 1)
          const [last = ""] = whole.split("\n").slice(-2)
          expect(Buffer.byteLength(whole) - Buffer.byteLength(`${last}\n`)).toBeLessThan(budget.bytes)
        }
        expect(pages.slice(0, -1).every(({ rows }) => rows > 0)).toBe(true)
      }
    })

    it.each([
      [{ rows: 1, bytes: 1_000_000 }, [1, 1, 0]],
      [{ rows: 2, bytes: 1_000_000 }, [2, 0]],
      [{ rows: 3, bytes: 1_000_000 }, [2]],
      [{ rows: 1, bytes: 1 }, [1, 1, 0]],
      [{ rows: 2, bytes: 1 }, [1, 1]],
    ])("ends with a page of fewer rows than %o allows, perhaps of none", async (budget, rows) => {
      await addUsers(aUser(), aUser())
      expect((await users("ndjson", budget)).map((page) => page.rows)).toEqual(rows)
    })

    it("has users once who exist all the time, while others are added and removed", async () => {
      const all = Array.from({ length: 30 }, () => aUser())
      const [stays, goes] = [all.filter((_, at) => at % 3 > 0), all.filter((_, at) => at % 3 === 0)]
      await addUsers(...all)
      const gone = goes.toReversed()
      const afterPage = async () => {
        const user = gone.pop()
        if (user === undefined) return
        await db.transact((tx) => tx.users.remove({ id: user.id }))
        await addUsers(aUser(), { ...aUser(), id: `00000000-0000-7000-8000-${anId().slice(-12)}` })
        const touched = stays[0] as UserRow
        await db.transact((tx) => Effect.orDie(tx.users.update(touched.id, { last_seen_at: lateInstant })))
      }
      const pages = await readAllPages(
        (after) =>
          db.read((tx) =>
            tx.exports.users("ndjson", { since: null, segment_id: null }, after, { rows: 4, bytes: 1_000_000 }),
          ),
        afterPage,
      )
      const ids = textOf(pages)
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as UserRow).id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(stays.filter(({ id }) => ids.filter((each) => each === id).length !== 1)).toEqual([])
    })

    describe("of reviews", () => {
      const none = { since: null, rating_min: 1, rating_max: 5 }
      const file = (format: ExportFormat, filter = {}, budget = usual) =>
        readAllPages((after) => db.read((tx) => tx.exports.reviews(format, { ...none, ...filter }, after, budget)))
      const lines = (format: ExportFormat, of: ReadonlyArray<Review>) =>
        of.map((review) => lineIn(format)(reviewExportColumns, { ...review })).join("")
      const write = (given: ReadonlyArray<Partial<Review>>) =>
        db.transact((tx) =>
          Effect.forEach(given, (each) =>
            Effect.gen(function* () {
              const [user, item] = [aUser(), aReviewableItem()]
              yield* Effect.orDie(tx.users.insert(user))
              yield* Effect.orDie(tx.reviewableItems.insert(item))
              const row = aReview({ ...each, app_user_id: user.id, reviewable_item_id: item.id })
              yield* Effect.orDie(tx.reviews.insert(row))
              return row
            }),
          ),
        )

      it.for(formats)("has all of them once, by id, however large: %s [E13]", async (format) => {
        const tricky = trickyTexts.map((text, at) => ({
          ...{ title: text, body: at % 5 === 0 ? text.repeat(999) : text, is_approved: at % 2 === 0 },
          ...{ rating: 1 + (at % 5), created_at: awkwardInstant, updated_at: lateInstant },
        }))
        const rows = await write([...tricky, { title: null, body: null, created_at: earlyInstant }])
        expect(textOf(await file(format))).toBe(lines(format, rows))
        expect(textOf(await file(format, {}, { rows: 3, bytes: 2_000 }))).toBe(lines(format, rows))
      })

      it("has those of its ratings, and from `since` on", async () => {
        const at = (ms: number) => new Date(awkwardInstant.getTime() + ms)
        const rows = await write([1, 2, 3, 4, 5].map((rating) => ({ rating, created_at: at(rating - 3) })))
        const filtered = async (filter: object) => textOf(await file("csv", filter, { rows: 1, bytes: 1 }))
        expect(await filtered({ rating_min: 2, rating_max: 4 })).toBe(lines("csv", rows.slice(1, 4)))
        expect(await filtered({ since: awkwardInstant })).toBe(lines("csv", rows.slice(2)))
        expect(await filtered({ since: awkwardInstant, rating_max: 3 })).toBe(lines("csv", rows.slice(2, 3)))
        expect(await filtered({ rating_min: 5, rating_max: 1 })).toBe("")
      })
    })

    describe("of a user's events", () => {
      const all = { since: null, until: null, event_name: null }
      const events = (user_id: string, format: ExportFormat, filter = {}, budget = usual) =>
        readAllPages((after) =>
          db.read((tx) => tx.exports.userEvents(format, { user_id, ...all, ...filter }, after, budget)),
        )
      const lines = (format: ExportFormat, of: ReadonlyArray<NewEvent>) =>
        of.map((event) => lineIn(format)(eventExportColumns, { ...event })).join("")

      it.for(formats)("has all of them once, the oldest first, and none of other users: %s", async (format) => {
        const [user, other] = [aUser(), aUser()]
        await addUsers(user, other)
        const mine = (given: Partial<NewEvent>) => anEvent({ app_user_id: user.id, ...given })
        const tricky = trickyTexts.slice(1).map((event_name) => mine({ event_name, occurred_at: awkwardInstant }))
        const sorted = [
          mine({ properties: awkwardJson, occurred_at: earlyInstant, external_id: "caller's" }),
          ...tricky,
          mine({ occurred_at: new Date(awkwardInstant.getTime() + 1) }),
          mine({ occurred_at: lateInstant }),
        ]
        await addEvents(...sorted.toReversed(), anEvent({ app_user_id: other.id }))
        expect(textOf(await events(user.id, format))).toBe(lines(format, sorted))
        expect(textOf(await events(user.id, format, {}, { rows: 2, bytes: 1_000_000 }))).toBe(lines(format, sorted))
        expect(await events(anId(), format)).toEqual([{ texts: [], rows: 0, next: null }])
      })

      it("has those within its bounds and of its name", async () => {
        const user = aUser()
        await addUsers(user)
        const at = (ms: number, event_name = "a") =>
          anEvent({ app_user_id: user.id, event_name, occurred_at: new Date(awkwardInstant.getTime() + ms) })
        const [early, first, second, third] = [at(-1), at(0), at(1, "b"), at(2)]
        await addEvents(early, first, second, third)
        const until = third.occurred_at
        const filtered = async (filter: object) => textOf(await events(user.id, "csv", filter, { rows: 1, bytes: 1 }))
        expect(await filtered({ since: awkwardInstant })).toBe(lines("csv", [first, second, third]))
        expect(await filtered({ until })).toBe(lines("csv", [early, first, second]))
        expect(await filtered({ event_name: "a" })).toBe(lines("csv", [early, first, third]))
        expect(await filtered({ since: awkwardInstant, until, event_name: "b" })).toBe(lines("csv", [second]))
        expect(await filtered({ since: until, until: awkwardInstant })).toBe("")
      })
    })
  })
