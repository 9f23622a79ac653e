import { Amount, Count, Day, Finite, JsonObject, Money, Text, Timestamp, Uuid, Whole } from "@hearth/core"
import { databaseUrl } from "@hearth/test-services"
import { Schema } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Connection, connect } from "../../src/postgres/connections/connection.ts"
import { rowSet } from "../../src/postgres/sql/row-set.ts"
import { ids } from "./server.ts"

const Sample = Schema.Struct({
  id: Uuid,
  note: Schema.NullOr(Text),
  kind: Schema.Literals(["done", "freeze"]),
  at: Schema.NullOr(Timestamp),
  day: Day,
  is_on: Schema.Boolean,
  times: Count,
  shift: Whole,
  hours: Amount,
  score: Finite,
  price: Money,
  facts: Schema.NullOr(JsonObject),
  names: Schema.Array(Schema.String),
})

const full: typeof Sample.Type = {
  id: ids.uuid(),
  note: `"'\\{},NULL é 🦊\n`,
  kind: "done",
  at: new Date("0001-01-01T00:00:00.001Z"),
  day: "2024-02-29",
  is_on: true,
  times: 2_147_483_647,
  shift: -2_147_483_648,
  hours: 0.1,
  score: -1e300,
  price: -899_999_999_999.9999,
  facts: { "a,b": [1, [null, "{}"]], text: "NULL" },
  names: ["NULL", "{a}", '"'],
}
const bare: typeof Sample.Type = { ...full, id: ids.uuid(), note: null, at: null, facts: null, names: [] }

let connection: Connection
beforeAll(async () => {
  const patience = { connectMillis: 5_000, statementMillis: 5_000, idleInTransactionMillis: 5_000 }
  connection = await connect({ url: new URL(databaseUrl()), ...patience }, "postgres")
})
afterAll(() => connection?.close())

it("selects a row set with the given values, in order", async () => {
  const set = rowSet(Sample)
  const text = `select ${set.columns.join(", ")}, ordinal from ${set.from(2)} where $1 order by ordinal`
  const { rows } = await connection.run({ text, values: [true, ...set.values([full, bare])] })
  expect(rows).toEqual([
    { ...full, ordinal: "1" },
    { ...bare, ordinal: "2" },
  ])
})
