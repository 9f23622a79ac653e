import type { TenantDb } from "@hearth/core"
import type { UserFilter, UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aSegment } from "../segments/builders.ts"
import { aUser } from "./builders.ts"

const at = (millis: number) => new Date(Date.UTC(2026, 5, 1) + millis)
const noFilter: UserFilter = { search: null, segment_id: null }
const slice = { limit: 1_000, offset: 0 }

/** Capital letters of several scripts whose lower case is one code point. */
const capitals = Array.from({ length: 0x10500 }, (_, code) => code)
  .filter((code) => code < 0x588 || (code >= 0x1e00 && code < 0x1f00) || code >= 0xff00)
  .filter((code) => code !== 0x130 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => letter.toLowerCase() !== letter && [...letter.toLowerCase()].length === 1)

/** What a project promises about lists of its users. */
export const usersListingContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("lists of users", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeEach(async () => {
      db ??= await open()
      await db.transact((tx) => Effect.andThen(tx.users.remove({}), tx.segments.remove({})))
    })

    const users = async (...given: ReadonlyArray<Partial<UserRow>>) => {
      const rows = given.map((one) => aUser(one))
      await db.transact((tx) => Effect.orDie(Effect.forEach(rows, (row) => tx.users.insert(row), { discard: true })))
      return rows
    }
    const page = (filter: Partial<UserFilter>, of: Partial<typeof slice> = {}) =>
      db.read((tx) => tx.users.pageMatching({ ...noFilter, ...filter }, { ...slice, ...of }))
    const found = async (search: string) => {
      const { rows, total } = await page({ search })
      expect(total).toBe(rows.length)
      return rows.map(({ display_name }) => display_name).sort()
    }

    it("is empty without users", async () => {
      expect(await page({})).toStrictEqual({ rows: [], total: 0 })
    })

    it("has users with all columns, the most recently seen first, then by id", async () => {
      const seen = [at(5), at(9), at(5), at(-7), at(5)]
      const rows = await users(...seen.map((last_seen_at) => ({ last_seen_at, properties: { a: [1] } })))
      const [first, newest, second, oldest, third] = rows
      expect(await page({})).toStrictEqual({ rows: [newest, first, second, third, oldest], total: 5 })
    })

    it("has slices without overlaps or gaps, each with the total", async () => {
      const rows = await users(...Array.from({ length: 7 }, (_, n) => ({ last_seen_at: at(n % 3) })))
      const pages = []
      for (const offset of [0, 3, 6, 9]) pages.push(await page({}, { limit: 3, offset }))
      expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7])
      expect(pages.map((one) => one.rows.length)).toEqual([3, 3, 1, 0])
      expect(new Set(pages.flatMap((one) => one.rows.map(({ id }) => id)))).toEqual(new Set(rows.map(({ id }) => id)))
      expect(await page({}, { limit: 0 })).toStrictEqual({ rows: [], total: 7 })
      expect(await page({}, { offset: Number.MAX_SAFE_INTEGER })).toStrictEqual({ rows: [], total: 7 })
    })

    it("goes on after a position, whoever is seen or removed meanwhile", async () => {
      const rows = await users(
        ...Array.from({ length: 7 }, (_, n) => ({ last_seen_at: at(n % 3), display_name: "Ada" })),
      )
      const all = (await page({})).rows
      const readOn = (position: UserRow | undefined, filter: Partial<UserFilter> = {}) =>
        db.read((tx) => tx.users.pageMatching({ ...noFilter, ...filter }, { limit: 3, offset: 0 }, position ?? null))
      expect(await readOn(undefined)).toStrictEqual({ rows: all.slice(0, 3), total: 7 })
      expect(await readOn(all[2])).toStrictEqual({ rows: all.slice(3, 6), total: 7 })
      expect(await readOn(all[2], { search: "ADA" })).toStrictEqual({ rows: all.slice(3, 6), total: 7 })
      expect(await readOn(all[6])).toStrictEqual({ rows: [], total: 7 })
      const [seen, gone] = [String(all[4]?.id), String(all[2]?.id)]
      await db.transact((tx) => tx.users.seen([{ id: seen, at: at(9) }]))
      await db.transact((tx) => tx.users.remove({ id: gone }))
      const left = [all[3], all[5], all[6]].map((user) => user?.id)
      expect((await readOn(all[2])).rows.map(({ id }) => id)).toEqual(left)
      expect(rows).toHaveLength(7)
    })

    it("has all users of large properties, whether or not it is cut, by offsets and by positions", async () => {
      const properties = { text: Array.from({ length: 6_000 }, (_, n) => (n * n).toString(36)).join(" ") }
      await users(...Array.from({ length: 60 }, (_, n) => ({ last_seen_at: at(n % 7), properties })))
      const expected = (await db.read((tx) => tx.users.list({}, [["last_seen_at", "desc"]]))).map(({ id }) => id)
      for (const byPosition of [false, true]) {
        const read: Array<UserRow> = []
        for (let isCut = true; isCut; ) {
          const of = byPosition ? { limit: 60, offset: 0 } : { limit: 60 - read.length, offset: read.length }
          const after = byPosition ? (read.at(-1) ?? null) : null
          const found = await db.read((tx) => tx.users.pageMatching(noFilter, of, after))
          expect([found.rows.length > 0, found.total]).toEqual([true, 60])
          read.push(...found.rows)
          isCut = found.is_cut === true
        }
        expect(read.map(({ id }) => id)).toEqual(expected)
        expect(read.at(-1)?.properties).toEqual(properties)
      }
    })

    it("searches emails, external ids and display names", async () => {
      await users(
        { display_name: "by name: needle" },
        { display_name: "by email", email: "needle@example.com" },
        { display_name: "by external id", external_id: "a-needle-b" },
        { display_name: "elsewhere", anonymous_id: "anon_needle", avatar_url: "needle", properties: { needle: 1 } },
        { display_name: "nowhere", email: null, external_id: null },
      )
      expect(await found("needle")).toEqual(["by email", "by external id", "by name: needle"])
      expect(await found("name: n")).toEqual(["by name: needle"])
      expect(await found("needles")).toEqual([])
    })

    it("finds a whole id or anonymous id, and no part of one", async () => {
      const [ada, bob] = await users(
        { display_name: "Ada", anonymous_id: "anon_1a" },
        { display_name: "Bob", anonymous_id: "anon_1ab" },
      )
      expect(await found(ada?.id ?? "")).toEqual(["Ada"])
      expect(await found((bob?.id ?? "").toUpperCase())).toEqual(["Bob"])
      expect(await found((bob?.id ?? "").slice(0, -1))).toEqual([])
      expect(await found("anon_1a")).toEqual(["Ada"])
      expect(await found("anon_1")).toEqual([])
    })

    it("has those of some ids that exist, which match everything else, too", async () => {
      const [ada, bob, eve] = await users({ display_name: "Ada" }, { display_name: "Bob" }, { display_name: "Eve" })
      const ids = [anId(), eve?.id ?? "", (ada?.id ?? "").toUpperCase(), eve?.id ?? ""]
      const names = async (filter: Partial<UserFilter>) =>
        (await page({ ids, ...filter })).rows.map(({ display_name }) => display_name).sort()
      expect(await names({})).toEqual(["Ada", "Eve"])
      expect((await page({ ids }, { limit: 1 })).total).toBe(2)
      expect(await names({ search: "ev" })).toEqual(["Eve"])
      expect(await names({ search: bob?.id ?? "" })).toEqual([])
      expect(await names({ segment_id: anId() })).toEqual([])
      expect(await page({ ids: [] })).toStrictEqual({ rows: [], total: 0 })
    })

    it("has a user once who matches in several columns", async () => {
      await users({ display_name: "ada", email: "ada@example.com", external_id: "ada" })
      expect(await found("ada")).toEqual(["ada"])
    })

    it.each([
      ["%", ["100% sure"]],
      ["_", ["snake_case"]],
      ["\\", ["back\\slash"]],
      ["\\%", []],
      ["%%", []],
      ["0% s", ["100% sure"]],
      ["e_c", ["snake_case"]],
      ["k\\s", ["back\\slash"]],
      ["'", ["o'hara"]],
      ["a", ["back\\slash", "o'hara", "snake_case"]],
      [" ", ["100% sure", "🦊 fox"]],
      ["🦊", ["🦊 fox"]],
    ])("searches every character of %j literally [A11]", async (search, names) => {
      await users(
        ...["100% sure", "snake_case", "back\\slash", "o'hara", "🦊 fox"].map((name) => ({ display_name: name })),
      )
      expect(await found(search)).toEqual(names)
    })

    it("finds any text in itself", async () => {
      await users({ display_name: awkwardText })
      expect(await found(awkwardText)).toEqual([awkwardText])
      expect(await found(awkwardText.slice(3, -3))).toEqual([awkwardText])
    })

    it("ignores the case of letters of any script", async () => {
      expect(capitals.length).toBeGreaterThan(300)
      const [large, small] = [capitals.join(""), capitals.map((letter) => letter.toLowerCase()).join("")]
      await users({ display_name: large }, { display_name: small }, { display_name: "ΟΔΟΣ" })
      expect(await found(large)).toEqual([large, small].sort())
      expect(await found(small)).toEqual([large, small].sort())
      // A final sigma is a letter of its own.
      expect(await found("οδοσ")).toEqual(["ΟΔΟΣ"])
      expect(await found("οδος")).toEqual([])
    })

    describe("of a segment", () => {
      const members = async (given: ReadonlyArray<Partial<UserRow>>) => {
        const segment = aSegment()
        const rows = await users(...given)
        await db.transact((tx) => Effect.orDie(tx.segments.insert(segment)))
        await db.transact((tx) =>
          tx.segmentMembers.add(
            [segment.id],
            rows.map(({ id }) => id),
            at(0),
          ),
        )
        return { segment_id: segment.id, rows }
      }

      it("has its members only", async () => {
        await users({}, {})
        const { segment_id, rows } = await members([{ last_seen_at: at(2) }, { last_seen_at: at(1) }])
        await members([{}])
        expect(await page({ segment_id })).toStrictEqual({ rows, total: 2 })
        expect(await page({ segment_id: segment_id.toUpperCase() })).toStrictEqual({ rows, total: 2 })
        expect(await page({ segment_id }, { limit: 1, offset: 1 })).toStrictEqual({ rows: rows.slice(1), total: 2 })
        expect(await page({ segment_id: anId() })).toStrictEqual({ rows: [], total: 0 })
      })

      it("can be searched", async () => {
        await users({ display_name: "Ada, no member" })
        const { segment_id, rows } = await members([{ display_name: "Ada" }, { display_name: "Bob" }])
        expect(await page({ segment_id, search: "ADA" })).toStrictEqual({ rows: rows.slice(0, 1), total: 1 })
        expect(await page({ segment_id: anId(), search: "ADA" })).toStrictEqual({ rows: [], total: 0 })
      })
    })

    it("dies of an invalid filter or slice", async () => {
      // Where nobody is, a database need not look at the slice.
      await users({})
      const attempt = (filter: Partial<UserFilter>, of: Partial<typeof slice> = {}) =>
        db.attemptRead((tx) => tx.users.pageMatching({ ...noFilter, ...filter }, { ...slice, ...of }))
      expect(died(await attempt({ search: "NUL \u0000" }))).toBe(true)
      expect(died(await attempt({ segment_id: "17" }))).toBe(true)
      expect(died(await attempt({}, { limit: -1 }))).toBe(true)
      expect(died(await attempt({}, { offset: -1 }))).toBe(true)
    })
  })
