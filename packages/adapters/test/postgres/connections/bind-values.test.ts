import { databaseUrl } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bindValues } from "../../../src/postgres/connections/bind-values.ts"
import { type Connection, connect } from "../../../src/postgres/connections/connection.ts"
import { readSqlState } from "../../../src/postgres/schema/server.ts"
import { ids } from "../server.ts"

let connection: Connection
beforeAll(async () => {
  const patience = { connectMillis: 5_000, statementMillis: 5_000, idleInTransactionMillis: 5_000 }
  connection = await connect({ url: new URL(databaseUrl()), ...patience }, "postgres")
})
afterAll(() => connection?.close())

const repeat = (items: ReadonlyArray<unknown>, times: number) => Array.from({ length: times }, () => items).flat()

const ask = async (cast: string, items: ReadonlyArray<unknown>) => {
  const text = `select item from unnest($1::${cast}[]) with ordinality as given (item, ordinal) order by ordinal`
  return (await connection.run({ text, values: [items] })).rows.map((row) => (row as { readonly item: unknown }).item)
}

const isSentInBinary = (cast: string, items: ReadonlyArray<unknown>) =>
  bindValues(`select $1::${cast}[]`, [items])[0] instanceof Buffer

const samples = {
  uuid: ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", ids.uuid(), null],
  timestamptz: [
    ...["1715-01-01T00:00:00.001Z", "2285-01-01T00:00:00.999Z", "1969-12-31T23:59:59.999Z", "1999-12-31T23:59:59.999Z"],
    ...["2000-01-01T00:00:00.000Z", "2000-01-01T00:00:00.001Z", "1883-11-18T12:03:57.001Z", "2026-03-29T01:30:00.123Z"],
  ].map((text) => new Date(text)),
  date: ["0001-01-01", "0099-12-31", "1900-02-28", "1970-01-01", "1999-12-31", "2024-02-29", "9999-12-31", null],
  int: [0, -0, 1, -1, 2_147_483_647, -2_147_483_648, null],
}

describe.each(Object.entries(samples))("a list of %s", (cast, items) => {
  it.each([1, 20])("has the same items, sent %i times", async (times) => {
    const sent = repeat(items, times)
    expect(isSentInBinary(cast, sent)).toBe(times > 1)
    expect(await ask(cast, sent)).toEqual(sent.map((item) => (Object.is(item, -0) ? 0 : item)))
  })

  it("may have nulls only", async () => {
    expect(await ask(cast, repeat([null], 20))).toEqual(repeat([null], 20))
  })
})

describe("a long list of items without a binary form", () => {
  it.each([
    ["uuid", ids.uuid().toUpperCase(), (given: string) => given.toLowerCase()],
    ["uuid", ids.uuid().replaceAll("-", ""), undefined],
    ["timestamptz", "2024-02-29T12:00:00.5+02:00", () => new Date("2024-02-29T10:00:00.500Z")],
    ["date", "2024-2-9", () => "2024-02-09"],
    ["int", "7", () => 7],
    ["text", `"'\\{},NULL é 🦊\n`, (given: string) => given],
    ["text", "", () => ""],
    ["boolean", false, () => false],
    ["float8", 0.1, () => 0.1],
    ["bigint", 9_007_199_254_740_993n, () => "9007199254740993"],
    ["timestamptz", new Date(-62_135_596_800_000), () => new Date("0001-01-01T00:00:00Z")],
    ...["0001-01-01T00:00:00.001Z", "5000-06-01T00:00:00.001Z", "9999-12-31T23:59:59.999Z"].map(
      (text) => ["timestamptz", new Date(text), () => new Date(text)] as const,
    ),
    ["jsonb", `{"a":[1,"\\""]}`, () => ({ a: [1, '"'] })],
  ] as ReadonlyArray<readonly [string, unknown, ((given: string) => unknown) | undefined]>)(
    "is read by the server: %s %s",
    async (cast, item, read) => {
      const dashed = String(item).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
      const found = read === undefined ? dashed : read(item as string)
      expect(await ask(cast, repeat([item], 20))).toEqual(repeat([found], 20))
    },
  )

  it.each([
    ["uuid", "g0000000-0000-0000-0000-000000000000"],
    ["uuid", "00000000-0000-0000-0000-00000000000é"],
    ["uuid", "00000000+0000-0000-0000-000000000000"],
    ["date", "2023-02-29"],
    ["date", "2024-13-01"],
    ["date", "soon"],
    ["int", 2_147_483_648],
    ["int", 0.5],
    ["int", Number.NaN],
  ])("is refused by the server as a short one is: %s %s", async (cast, item) => {
    const refusals = [1, 20].map(async (times) => readSqlState(await ask(cast, repeat([item], times)).catch((e) => e)))
    const [short, long] = await Promise.all(refusals)
    expect(long).toBe(short)
    expect(short).toMatch(/^22/)
  })
})

it("sends a list as text where its parameter has no type of its own, or several", async () => {
  const items = repeat(["00000000-0000-0000-0000-000000000001"], 20)
  for (const text of [
    "select count(*) from unnest($1::text[]) as given (item) where item::uuid = any($1::uuid[])",
    "select count(*) from (select '00000000-0000-0000-0000-000000000001'::uuid as item) as x where item = any($1)",
  ]) {
    expect(bindValues(text, [items])).toEqual([expect.any(String)])
    expect((await connection.run({ text, values: [items] })).rows).toHaveLength(1)
  }
})

it("leaves lists of lists, and of bytes, as they are", async () => {
  const text = "select $1::int[] as lists, $2::bytea[] as bytes"
  const values = [repeat([[1, null]], 20), [Buffer.from([0, 255])]]
  const { rows } = await connection.run({ text, values })
  expect(rows).toEqual([{ lists: values[0], bytes: values[1] }])
})
