import { isUuid, type Order, type Table, type Where } from "@hearth/core"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { impossibleInstants, incompressibleText } from "./awkward-values.ts"
import { type DatabaseUnderTest, died, failureOf } from "./database-under-test.ts"

/** A column to sort by, and values of it in ascending order. */
export interface Sorting<Row> {
  readonly column: keyof Row & string
  readonly ascending: ReadonlyArray<unknown>
}

/** One table, and what the suite needs to know about its rows. */
export interface TableCase<Db, Row extends { readonly id: string }> {
  readonly name: string
  readonly table: (db: Db) => Table<Row>
  /** A new row without conflicts. Its parents are written, the row itself is not. */
  readonly row: (db: Db, given?: Partial<Row>) => Effect.Effect<Row>
  /** Columns with values that are hard to store. Updates use the first sample. */
  readonly samples: readonly [Partial<Row>, ...ReadonlyArray<Partial<Row>>]
  /** The unique keys beside `id`. */
  readonly unique: ReadonlyArray<ReadonlyArray<keyof Row & string>>
  /** Those of them that are indexed by a hash, so that their text may have any length. */
  readonly hashed?: ReadonlyArray<string>
  /** Rows that cannot be, though each of their values is one of its column. */
  readonly refused?: ReadonlyArray<Partial<Row>>
  /** A column that is in no unique key and cannot be null. */
  readonly sorting: Sorting<Row>
  /** A column that can be null. */
  readonly nullable?: Sorting<Row>
}

const impossibleDays = ["0000-01-01", "0000-12-31", "2026-02-30", "2026-13-01", "2025-02-29"]

const isDay = (value: unknown): boolean => typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)

const isUuidOrDay = (value: unknown): boolean => isUuid(value) || isDay(value)

/** What every table promises. `open` answers a database that only this suite uses. */
export const tableContract = <Db, Row extends { readonly id: string }>(
  open: () => Promise<DatabaseUnderTest<Db>>,
  subject: TableCase<Db, Row>,
) =>
  describe(`table: ${subject.name}`, () => {
    const { sorting, table } = subject
    let db: DatabaseUnderTest<Db>
    beforeAll(async () => {
      db = await open()
    })

    const byId = (id: string) => ({ id }) as Where<Row>
    const pick = (row: Row, key: ReadonlyArray<keyof Row & string>) =>
      Object.fromEntries(key.map((column) => [column, row[column]])) as Partial<Row>
    const build = (given: Partial<Row> = {}) => db.transact((tx) => subject.row(tx, given))
    const insert = (row: Row) => db.transact((tx) => table(tx).insert(row))
    const added = async (given: Partial<Row> = {}) => {
      const row = await build(given)
      await insert(row)
      return row
    }
    const addedInOrder = async ({ column, ascending }: Sorting<Row>) => {
      const rows: Array<Row> = []
      for (const value of ascending) rows.push(await added({ [column]: value } as Partial<Row>))
      return rows
    }
    const stored = (id: string) => db.read((tx) => Effect.map(table(tx).find(byId(id)), Option.getOrNull))
    const count = () =>
      db.read((tx) => Effect.map(table(tx).page({}, [], { limit: 1, offset: 0 }), (page) => page.total))
    const empty = () => db.transact((tx) => table(tx).remove({}))
    const list = (order: Order<Row>, where: Where<Row> = {}) => db.read((tx) => table(tx).list(where, order))
    const ids = (rows: ReadonlyArray<Row>) => rows.map((row) => row.id)

    it.for(subject.samples.map((sample, index) => [index, sample] as const))(
      "keeps every column: sample %i",
      async ([, sample]) => {
        const row = await added(sample)
        expect(await stored(row.id)).toStrictEqual(row)
        expect(await db.read((tx) => table(tx).list(byId(row.id), []))).toStrictEqual([row])
      },
    )

    it.for(subject.unique.map((key) => [key.join(", "), key] as const))(
      "refuses text that is too long for an index, and keeps what just fits: %s",
      async ([, key]) => {
        if (subject.hashed?.includes(key.join())) return
        const row = await build(subject.samples[0])
        const column = key.findLast((name) => typeof row[name] === "string" && !isUuidOrDay(row[name]))
        if (column === undefined) return
        const withText = (bytes: number) => ({ [column]: incompressibleText(bytes) }) as Partial<Row>
        const long = await build(withText(2_800))
        expect(died(await db.attempt((tx) => table(tx).insert(long)))).toBe(true)
        expect(await stored(long.id)).toBeNull()
        const short = await added(withText(2_600))
        expect(await stored(short.id)).toStrictEqual(short)
        expect(died(await db.attempt((tx) => table(tx).update(short.id, withText(2_800))))).toBe(true)
      },
    )

    it.for((subject.refused ?? []).map((given) => [JSON.stringify(given), given] as const))(
      "refuses a row that cannot be: %s",
      async ([, given]) => {
        const [row, bad] = [await added(), await build(given)]
        expect(died(await db.attempt((tx) => table(tx).insert(bad)))).toBe(true)
        expect(died(await db.attempt((tx) => table(tx).update(row.id, given)))).toBe(true)
        expect(await stored(row.id)).toStrictEqual(row)
        expect(await stored(bad.id)).toBeNull()
      },
    )

    it("refuses instants and days that PostgreSQL does not have", async () => {
      const row = await added()
      for (const [column, value] of Object.entries<unknown>(row)) {
        const wrong = value instanceof Date ? impossibleInstants : isDay(value) ? impossibleDays : []
        for (const each of wrong) {
          const exit = await db.attempt((tx) => table(tx).update(row.id, { [column]: each } as unknown as Partial<Row>))
          expect([column, each, died(exit)]).toEqual([column, each, true])
        }
      }
      expect(await stored(row.id)).toStrictEqual(row)
    })

    it("copies rows on the way in and out", async () => {
      const row = await added(structuredClone(subject.samples[0]) as Partial<Row>)
      const before = structuredClone(row)
      const deface = (value: unknown) => {
        if (value instanceof Date) value.setTime(0)
        else if (Array.isArray(value)) value.push("more")
        else if (typeof value === "object" && value !== null) Object.assign(value, { more: true })
      }
      for (const held of [row, await stored(row.id)]) for (const value of Object.values(held ?? {})) deface(value)
      expect(await stored(row.id)).toStrictEqual(before)
    })

    it("finds, changes and removes nothing where there is no row", async () => {
      const { id } = await build()
      expect(await stored(id)).toBeNull()
      expect(await list([], byId(id))).toEqual([])
      expect(await db.read((tx) => table(tx).page(byId(id), [], { limit: 5, offset: 0 }))).toEqual({
        rows: [],
        total: 0,
      })
      expect(await db.transact((tx) => table(tx).update(id, subject.samples[0]))).toEqual(Option.none())
      expect(await db.transact((tx) => table(tx).remove(byId(id)))).toBe(0)
    })

    const keys = [["id"] as ReadonlyArray<keyof Row & string>, ...subject.unique]
    it.for(keys.map((key) => [key.join(", "), key] as const))("refuses a duplicate key: %s", async ([, key]) => {
      const first = await added(subject.samples[0])
      const second = await build(pick(first, key))
      const before = await count()
      const exit = await db.attempt((tx) => table(tx).insert(second))
      expect(failureOf(exit)).toMatchObject({ _tag: "Duplicate", key })
      const outside = await db.attemptRead((tx) => table(tx).insert(second))
      expect(failureOf(outside)).toMatchObject({ _tag: "Duplicate", key })
      expect(await count()).toBe(before)
      expect(await stored(first.id)).toStrictEqual(first)
    })

    it.for(keys.map((key) => [key.join(", "), key] as const))(
      "inserts one of several rows with the same key at the same time: %s",
      async ([, key]) => {
        const shared = pick(await build(subject.samples[0]), key)
        const rows = await Promise.all(Array.from({ length: 6 }, () => build(shared)))
        const exits = await Promise.all(
          rows.map((row, turn) =>
            turn % 2 === 0 ? db.attempt((tx) => table(tx).insert(row)) : db.attemptRead((tx) => table(tx).insert(row)),
          ),
        )
        expect(exits.filter((exit) => exit._tag === "Success")).toHaveLength(1)
        const failures = exits.map(failureOf).filter((failure) => failure !== null)
        expect(failures).toHaveLength(5)
        for (const failure of failures) expect(failure).toMatchObject({ _tag: "Duplicate", key })
        expect(await list([], shared)).toHaveLength(1)
      },
    )

    it.for(subject.unique.map((key) => [key.join(", "), key] as const))(
      "refuses a change to a taken key: %s",
      async ([, key]) => {
        const [first, second] = [await added(subject.samples[0]), await added()]
        const exit = await db.attempt((tx) => table(tx).update(second.id, pick(first, key)))
        expect(failureOf(exit)).toMatchObject({ _tag: "Duplicate", key })
        expect(await stored(second.id)).toStrictEqual(second)
        const same = await db.transact((tx) => table(tx).update(first.id, pick(first, key)))
        expect(same).toEqual(Option.some(first))
      },
    )

    it("locks a row until the transaction ends", async () => {
      const { ascending, column } = sorting
      const { id } = await added({ [column]: ascending[0] } as Partial<Row>)
      const texts = ascending.map((value) => JSON.stringify(value))
      const step = (tx: Db) =>
        Effect.gen(function* () {
          const locked = Option.getOrThrow(yield* table(tx).lock(id))
          const next = ascending[texts.indexOf(JSON.stringify(locked[column])) + 1]
          yield* table(tx).update(id, { [column]: next } as Partial<Row>)
        })
      await Promise.all(ascending.slice(1).map(() => db.transact(step)))
      expect((await stored(id))?.[column]).toEqual(ascending.at(-1))
      expect(await db.transact((tx) => table(tx).lock(id))).toStrictEqual(Option.some(await stored(id)))
    })

    it("locks nothing where there is no row", async () => {
      const { id } = await build()
      expect(await db.transact((tx) => table(tx).lock(id))).toEqual(Option.none())
    })

    it("changes the given columns and no others", async () => {
      const [row, other] = [await added(), await added()]
      const changes = { ...subject.samples[0] } as Partial<Row> & { id?: string }
      delete changes.id
      const changed = await db.transact((tx) => table(tx).update(row.id, changes as Partial<Row>))
      expect(changed).toStrictEqual(Option.some({ ...row, ...changes }))
      expect(await stored(row.id)).toStrictEqual({ ...row, ...changes })
      expect(await db.transact((tx) => table(tx).update(row.id, {}))).toStrictEqual(Option.some({ ...row, ...changes }))
      expect(await stored(other.id)).toStrictEqual(other)
    })

    it("selects by all given columns, also by null", async () => {
      await empty()
      const [low, high] = await addedInOrder({ ...sorting, ascending: sorting.ascending.slice(0, 2) })
      const where = pick(low as Row, [sorting.column])
      expect(await list([], where)).toEqual([low])
      expect(await list([], { ...where, ...byId((high as Row).id) })).toEqual([])
      expect(await list([], { [sorting.column]: null } as Where<Row>)).toEqual([])
      if (subject.nullable === undefined) return
      const { ascending, column } = subject.nullable
      const filled = await added({ [column]: ascending[0] } as Partial<Row>)
      const bare = await added({ [column]: null } as Partial<Row>)
      expect(await list([], { [column]: null, ...byId(bare.id) } as Where<Row>)).toEqual([bare])
      expect(await list([], { [column]: null, ...byId(filled.id) } as Where<Row>)).toEqual([])
      const cleared = await db.transact((tx) => table(tx).update(filled.id, { [column]: null } as Partial<Row>))
      expect(cleared).toEqual(Option.some({ ...filled, [column]: null }))
    })

    it("sorts both ways, ties by id, nulls last", async () => {
      for (const by of [sorting, ...(subject.nullable === undefined ? [] : [subject.nullable])]) {
        await empty()
        const rows = await addedInOrder({ ...by, ascending: [...by.ascending].reverse() })
        const ascending = ids(rows).reverse()
        expect(ids(await list([[by.column, "asc"]]))).toEqual(ascending)
        expect(ids(await list([[by.column, "desc"]]))).toEqual([...ascending].reverse())
        if (by !== subject.nullable) continue
        const bare = ids([
          await added({ [by.column]: null } as Partial<Row>),
          await added({ [by.column]: null } as Partial<Row>),
        ])
        expect(ids(await list([[by.column, "asc"]]))).toEqual([...ascending, ...bare.sort()])
        expect(ids(await list([[by.column, "desc"]]))).toEqual([...[...ascending].reverse(), ...bare])
      }
      await empty()
      const tied = { [sorting.column]: sorting.ascending[0] } as Partial<Row>
      const twins = [await build(tied), await build(tied), await build(tied)]
      for (const twin of twins.toReversed()) await insert(twin)
      expect(ids(await list([[sorting.column, "desc"]]))).toEqual(ids(twins).sort())
      expect(ids(await list([]))).toEqual(ids(twins).sort())
      expect(ids(await list([["id", "desc"]]))).toEqual(ids(twins).sort().reverse())
    })

    it("pages through all rows once, with the total on every page", async () => {
      await empty()
      const tied = { [sorting.column]: sorting.ascending[0] } as Partial<Row>
      const rows = [await added(tied), await added(tied), await added(), await added(tied), await added()]
      const page = (offset: number, limit = 2) =>
        db.read((tx) => table(tx).page({}, [[sorting.column, "desc"]], { limit, offset }))
      const pages = [await page(0), await page(2), await page(4)]
      expect(pages.map((one) => [one.rows.length, one.total])).toEqual([
        [2, 5],
        [2, 5],
        [1, 5],
      ])
      expect(ids(pages.flatMap((one) => one.rows))).toEqual(ids(await list([[sorting.column, "desc"]])))
      expect(ids(pages.flatMap((one) => one.rows)).sort()).toEqual(ids(rows).sort())
      expect(await page(5)).toEqual({ rows: [], total: 5 })
      expect(await page(1_000_000)).toEqual({ rows: [], total: 5 })
      expect(await page(0, 0)).toEqual({ rows: [], total: 5 })
      const some = await db.read((tx) => table(tx).page(tied as Where<Row>, [], { limit: 1, offset: 0 }))
      expect(some.total).toBeGreaterThanOrEqual(3)
    })

    it("goes on after a place, also one whose row is gone", async () => {
      await empty()
      const { column } = sorting
      const tied = { [column]: sorting.ascending[0] } as Partial<Row>
      for (const given of [tied, tied, {}, tied, {}]) await added(given)
      const slice = { limit: 2, offset: 0 }
      for (const order of [
        [[column, "asc"]],
        [
          [column, "desc"],
          ["id", "desc"],
        ],
        [],
      ] as ReadonlyArray<Order<Row>>) {
        const all = await list(order)
        const [, place, third] = all as [Row, Row, Row]
        const rowsAfter = async (where: Where<Row>, row: Row, of = slice) =>
          (await db.read((tx) => table(tx).listAfter(where, order, row, of))).rows
        const readOn = (row: Row, of = slice) => rowsAfter({}, row, of)
        expect(await readOn(place)).toEqual(all.slice(2, 4))
        expect(await readOn(place, { limit: 9, offset: 1 })).toEqual(all.slice(3))
        expect(await readOn(all[4] as Row)).toEqual([])
        expect(await rowsAfter(byId(third.id), place)).toEqual([third])
        await db.transact((tx) => table(tx).remove(byId(place.id)))
        expect(await readOn(place)).toEqual(all.slice(2, 4))
        await insert(place)
      }
    })

    it("removes the described rows, and counts them", async () => {
      await empty()
      const tied = { [sorting.column]: sorting.ascending[0] } as Partial<Row>
      const other = await added({ [sorting.column]: sorting.ascending[1] } as Partial<Row>)
      const gone = [await added(tied), await added(tied)]
      expect(await db.transact((tx) => table(tx).remove(tied as Where<Row>))).toBe(2)
      expect(await stored((gone[0] as Row).id)).toBeNull()
      expect(await list([])).toEqual([other])
      expect(await empty()).toBe(1)
      expect(await count()).toBe(0)
    })

    it("dies when a value is undefined", async () => {
      const row = await added()
      const missing = { [sorting.column]: undefined } as Partial<Row>
      const where = missing as Where<Row>
      const slice = { limit: 1, offset: 0 }
      const calls: ReadonlyArray<(rows: Table<Row>) => Effect.Effect<unknown, unknown>> = [
        (rows) => rows.find(where),
        (rows) => rows.list(where, []),
        (rows) => rows.page(where, [], slice),
        (rows) => rows.listAfter(where, [], row, slice),
        (rows) => rows.listAfter({}, [[sorting.column, "asc"]], { ...row, ...missing }, slice),
        (rows) => rows.listAfter({}, [[sorting.column, "desc"]], row, slice),
        (rows) => rows.remove(where),
        (rows) => rows.update(row.id, missing),
        (rows) => rows.update(row.id, { [sorting.column]: null } as Partial<Row>),
      ]
      for (const [at, call] of calls.entries()) {
        expect(died(await db.attempt((tx) => call(table(tx)))), `call ${at}`).toBe(true)
      }
      const bare = await build()
      expect(died(await db.attempt((tx) => table(tx).insert({ ...bare, ...missing })))).toBe(true)
      expect(await stored(bare.id)).toBeNull()
      expect(await stored(row.id)).toStrictEqual(row)
    })
  })
