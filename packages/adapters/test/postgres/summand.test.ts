import { readSummand } from "@hearth/core/events"
import { databaseUrl } from "@hearth/test-services"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Connection, connect } from "../../src/postgres/connections/connection.ts"
import { summandSql } from "../../src/postgres/sql/summand.ts"

let connection: Connection
beforeAll(async () => {
  const patience = { connectMillis: 5_000, statementMillis: 5_000, idleInTransactionMillis: 5_000 }
  connection = await connect({ url: new URL(databaseUrl()), ...patience }, "postgres")
})
afterAll(() => connection?.close())

const inPostgres = async (values: ReadonlyArray<unknown>) => {
  const text = `select ${summandSql("value")}::text as summand
    from jsonb_array_elements($1::jsonb) with ordinality as given (value, ordinal) order by ordinal`
  const { rows } = await connection.run({ text, values: [JSON.stringify(values)] })
  return (rows as ReadonlyArray<{ readonly summand: string | null }>).map(({ summand }) =>
    summand === null ? null : Number(summand),
  )
}

const halves = fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 9_999_999 }))
const anyValue = fc.oneof(
  fc.double(),
  fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  // Many digits after the point, and many that end in a five.
  halves.map(([whole, rest]) => Number(`${whole}.${String(rest).padStart(7, "0")}`)),
  halves.map(([whole, rest]) => Number(`${whole}.${rest % 10_000}5`)),
  fc.jsonValue(),
)

it("a value adds the same to a sum in PostgreSQL and in the core [G0.8]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyValue, { minLength: 1, maxLength: 200 }), async (given) => {
      // As they are after they were stored.
      const values: ReadonlyArray<unknown> = JSON.parse(JSON.stringify(given))
      expect(await inPostgres(values)).toEqual(values.map(readSummand))
    }),
    { numRuns: 100 },
  )
})
