import { databaseUrl } from "@hearth/test-services"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Connections, makeConnections } from "../../../src/postgres/connections/connections.ts"
import { pooledStatements } from "../../../src/postgres/connections/statements.ts"
import { type TestServer, testServer } from "../server.ts"

const atOnce = 6

describe("statements that are prepared under a name", () => {
  let server: TestServer
  let connections: Connections
  let database: string
  beforeAll(async () => {
    server = testServer()
    database = `${server.prefix}named`
    await server.rows("postgres", `create database "${database}"`)
    connections = makeConnections(
      { url: new URL(databaseUrl()), connectMillis: 5_000, statementMillis: 20_000, idleInTransactionMillis: 20_000 },
      { max: atOnce, maxPerDatabase: atOnce, idleMillis: 10_000, acquireMillis: 10_000 },
    )
  })
  afterAll(async () => {
    await connections.close()
    await server.close()
  })

  const withConnection = async <A>(
    use: (
      run: (
        name: string,
        text: string,
        values?: ReadonlyArray<unknown>,
      ) => Promise<{ readonly rows: ReadonlyArray<unknown>; readonly rowCount: number }>,
    ) => Promise<A>,
  ) => {
    const connection = await connections.acquire(database)
    try {
      return await use((name, text, values = []) => connection.run({ name, text, values }))
    } finally {
      connections.release(connection)
    }
  }

  it("answer each time as at the first, in every kind of column", () =>
    withConnection(async (run) => {
      const columns = `$1::text as text, $2::int as int, 1.25::numeric as money, true as yes, null::text as nothing,
        '2026-03-01'::date as day, '2026-03-01T12:00:00.123Z'::timestamptz as instant, '{"a": [1]}'::jsonb as json, array[1, 2] as list`
      const row = (text: string, int: number | null) => ({
        ...{ text, int, money: 1.25, yes: true, nothing: null, day: "2026-03-01" },
        ...{ instant: new Date("2026-03-01T12:00:00.123Z"), json: { a: [1] }, list: [1, 2] },
      })
      const ask = (text: string, int: number | null) => run("kinds", `select ${columns}`, [text, int])
      expect(await ask("a", 1)).toEqual({ rows: [row("a", 1)], rowCount: 1 })
      expect(await ask("ä'\"", null)).toEqual({ rows: [row("ä'\"", null)], rowCount: 1 })
      const together = await Promise.all([ask("b", 2), run("none", "select 1 as one where false"), ask("c", 3)])
      expect(together.map(({ rows }) => rows)).toEqual([[row("b", 2)], [], [row("c", 3)]])
    }))

  it("count what they change, with and without columns", () =>
    withConnection(async (run) => {
      await run("make", "create temporary table counted (at int)")
      for (const count of [2, 0, 3]) {
        const values = [Array.from({ length: count }, (_, at) => at)]
        expect(await run("fill", "insert into counted select unnest($1::int[])", values)).toEqual({
          rows: [],
          rowCount: count,
        })
      }
      expect(await run("clear", "delete from counted where at = $1 returning at", [0])).toEqual({
        rows: [{ at: 0 }, { at: 0 }],
        rowCount: 2,
      })
    }))

  it("fail alone, and run again after a failure", () =>
    withConnection(async (run) => {
      const divide = (by: number) => run("divide", "select 6 / $1::int as part", [by])
      for (let round = 0; round < 2; round += 1) {
        const [failed, ...others] = await Promise.allSettled([divide(0), divide(2), divide(3)])
        expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } })
        expect(others).toMatchObject([{ value: { rows: [{ part: 3 }] } }, { value: { rows: [{ part: 2 }] } }])
      }
      await expect(run("wrong", "select no_column")).rejects.toMatchObject({ code: "42703" })
      await expect(run("wrong", "select no_column")).rejects.toMatchObject({ code: "42703" })
    }))

  it("are prepared anew where a migration has changed what they answer, however many connections knew them", async () => {
    await server.rows(database, "create table changed (one int)")
    await server.rows(database, "insert into changed values (1)")
    const held = await Promise.all(Array.from({ length: atOnce }, () => connections.acquire(database)))
    const statement = { name: "changed", text: "select * from changed", values: [] }
    for (const connection of held) expect((await connection.run(statement)).rows).toEqual([{ one: 1 }])
    for (const connection of held) connections.release(connection)
    await server.rows(database, "alter table changed add column two int default 2")
    const statements = pooledStatements(connections, database)
    const ask = () => Effect.runPromise(statements.prepared(statement.name, statement.text, []))
    expect(await ask()).toEqual([{ one: 1, two: 2 }])
    expect(await Promise.all(Array.from({ length: atOnce }, ask))).toEqual(Array(atOnce).fill([{ one: 1, two: 2 }]))
  })
})
