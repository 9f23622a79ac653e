import { Effect, Result, Schema } from "effect"
import { expect, it, test } from "vitest"
import { IdCursor, ListCursor, type ListPosition, type ListQuery, readLargeList, readList } from "./list-cursor.ts"
import type { Slice } from "./ports/table.ts"

const id = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
const ts = "2026-01-02T03:04:05.060Z"
const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

it("is base64url of the place and the total, and decodes to the same position", () => {
  const position = { at: new Date(ts), id, total: 7 }
  expect(Schema.encodeUnknownSync(ListCursor)(position)).toBe(text({ ts, id, total: 7 }))
  expect(Schema.decodeUnknownSync(ListCursor)(text({ ts, id: id.toUpperCase(), total: 7 }))).toEqual(position)
  expect(Schema.encodeUnknownSync(IdCursor)({ id, total: 0 })).toBe(text({ id, total: 0 }))
  expect(Schema.decodeUnknownSync(IdCursor)(text({ id, total: 0 }))).toEqual({ id, total: 0 })
})

test.each([
  ["nothing", ""],
  ["start, which is a word of its own", "start"],
  ["no JSON", Buffer.from("{").toString("base64url")],
  ["null", text(null)],
  ["no total", text({ ts, id })],
  ["a total below zero", text({ ts, id, total: -1 })],
  ["half a row", text({ ts, id, total: 0.5 })],
  ["a total that is text", text({ ts, id, total: "1" })],
  ["a total beyond all numbers", text({ ts, id, total: 2 ** 53 })],
  ["more than that", text({ ts, id, total: 1, more: 1 })],
  ["an id that is none", text({ ts, id: `${id}0`, total: 1 })],
  ["another form of the instant", text({ ts: "2026-01-02T03:04:05Z", id, total: 1 })],
  ["a year that PostgreSQL does not have", text({ ts: "0000-01-02T03:04:05.000Z", id, total: 1 })],
])("is not %s", (_, cursor) => {
  expect(Result.isFailure(Schema.decodeUnknownResult(ListCursor)(cursor))).toBe(true)
  expect(Result.isFailure(Schema.decodeUnknownResult(IdCursor)(cursor))).toBe(true)
})

it("of one kind of list is not one of another", () => {
  expect(Result.isFailure(Schema.decodeUnknownResult(ListCursor)(text({ id, total: 1 })))).toBe(true)
  expect(Result.isFailure(Schema.decodeUnknownResult(IdCursor)(text({ ts, id, total: 1 })))).toBe(true)
})

it("reads a list to its end, and counts it once", async () => {
  const rows = [4, 3, 2, 1].map((n) => ({ id: `${n}`, made: new Date(n) }))
  let counted = 0
  const cut = (some: typeof rows, { limit, offset }: Slice) => some.slice(offset, offset + limit)
  const read = (query: ListQuery) =>
    Effect.runPromise(
      readList(query, {
        page: (slice) =>
          Effect.sync(() => {
            counted += 1
            return { rows: cut(rows, slice), total: rows.length }
          }),
        after: ({ at }, slice) =>
          Effect.sync(() =>
            cut(
              rows.filter(({ made }) => made < at),
              slice,
            ),
          ),
        place: (row) => ({ at: row.made, id: row.id }),
      }),
    )
  expect(await read({ limit: 3, offset: 2 })).toEqual({ rows: rows.slice(2), total: 4 })
  const first = await read({ limit: 3, offset: 0, cursor: "start" })
  expect(first).toEqual({ rows: rows.slice(0, 3), total: 4, next_cursor: { at: new Date(2), id: "2", total: 4 } })
  const next = first.next_cursor as ListPosition
  expect(await read({ limit: 1, offset: 0, cursor: next })).toMatchObject({ next_cursor: { id: "1" } })
  expect(await read({ limit: 3, offset: 0, cursor: next })).toEqual({
    rows: rows.slice(3),
    total: 4,
    next_cursor: null,
  })
  expect(await read({ limit: 3, offset: 1, cursor: next })).toEqual({ rows: [], total: 4, next_cursor: null })
  expect(counted).toBe(2)
})

it("leads on to what a page of large rows leaves out", async () => {
  const rows = [4, 3, 2, 1].map((id) => ({ id: `${id}` }))
  const cut = (some: typeof rows) => ({ rows: some.slice(0, 1), ...(some.length > 1 ? { is_cut: true } : {}) })
  const read = (query: ListQuery<{ readonly id: string; readonly total: number }>) =>
    Effect.runPromise(
      readLargeList(query, {
        page: () => Effect.succeed({ ...cut(rows), total: 4 }),
        after: ({ id }) => Effect.succeed(cut(rows.filter((row) => row.id < id))),
        place: ({ id }) => ({ id }),
      }),
    )
  const slice = { limit: 9, offset: 0 }
  expect(await read(slice)).toEqual({ rows: rows.slice(0, 1), total: 4, is_cut: true })
  const found: Array<string> = []
  for (let cursor: ListQuery<{ id: string; total: number }>["cursor"] | null = "start"; cursor; ) {
    const page: Awaited<ReturnType<typeof read>> = await read({ ...slice, cursor })
    expect(page).not.toHaveProperty("is_cut")
    found.push(...page.rows.map(({ id }) => id))
    cursor = page.next_cursor ?? null
  }
  expect(found).toEqual(["4", "3", "2", "1"])
})
