import { databaseUrl } from "@hearth/test-services"
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Connections, makeConnections } from "../../../src/postgres/connections/connections.ts"
import { pooledStatements } from "../../../src/postgres/connections/statements.ts"
import { inTransaction } from "../../../src/postgres/connections/transaction.ts"
import { type TestServer, testServer } from "../server.ts"

describe("statements that transactions run often", () => {
  let server: TestServer
  let connections: Connections
  let database = ""
  beforeAll(async () => {
    server = testServer()
    database = `${server.prefix}often`
    await server.rows("postgres", `create database "${database}"`)
    await server.rows(database, "create table things (id int)")
    await server.rows(database, "insert into things values (1)")
  })
  afterAll(() => server.close())
  beforeEach(() => {
    const millis = { connectMillis: 5_000, statementMillis: 20_000, idleInTransactionMillis: 20_000 }
    connections = makeConnections(
      { url: new URL(databaseUrl()), ...millis },
      { max: 4, maxPerDatabase: 1, idleMillis: 10_000, acquireMillis: 10_000 },
    )
  })
  afterEach(() => connections.close())

  const run = (text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.runPromise(
      inTransaction(connections, database, (statements) => statements.rows(text, values), { locks: "none" }),
    )
  const runThrice = async (text: string, values: ReadonlyArray<unknown> = []) => {
    for (let runs = 0; runs < 3; runs += 1) await run(text, values)
  }
  const countPrepared = async (text: string) => {
    const rows = await run("select name from pg_prepared_statements where statement = $1", [text])
    return rows.length
  }

  it("are prepared at their third run", async () => {
    const text = "select id from things where id = $1"
    await run(text, [1])
    await run(text, [1])
    expect(await countPrepared(text)).toBe(0)
    expect(await run(text, [1])).toEqual([{ id: 1 }])
    expect(await countPrepared(text)).toBe(1)
    expect(await run(text, [1])).toEqual([{ id: 1 }])
    expect(await run(text, [2])).toEqual([])
  })

  it("are prepared without values too, but not several in one text", async () => {
    const [one, several] = ["select id from things", "select 1; select 2"]
    await runThrice(one)
    await runThrice(several)
    expect(await countPrepared(one)).toBe(1)
    expect(await countPrepared(several)).toBe(0)
  })

  it("are planned each time for many values, and for long ones", async () => {
    const [many, long] = ["select id from things where id = any($1::int[])", "select length($1::text)"]
    await runThrice(many, [Array.from({ length: 17 }, () => 1)])
    await runThrice(long, ["x".repeat(4_097)])
    expect(await countPrepared(many)).toBe(0)
    expect(await countPrepared(long)).toBe(0)
    await runThrice(many, [[1]])
    expect(await run(many, [Array.from({ length: 17 }, () => 1)])).toEqual([{ id: 1 }])
    expect(await countPrepared(many)).toBe(1)
  })

  it("are a bounded number", async () => {
    for (let at = 0; at < 120; at += 1) await runThrice(`select ${at} as at`)
    const [counted] = await run("select count(*)::int as prepared from pg_prepared_statements")
    expect(counted).toEqual({ prepared: 100 })
  })

  it("stay prepared after an error of theirs", async () => {
    const text = "select 1 / $1::int as part"
    await runThrice(text, [1])
    await expect(run(text, [0])).rejects.toThrow("division by zero")
    expect(await run(text, [1])).toEqual([{ part: 1 }])
  })

  it("are run anew when a migration has changed what they answer", async () => {
    const text = "select * from things where id = $1"
    await runThrice(text, [1])
    await server.rows(database, "alter table things add column name text")
    expect(await run(text, [1])).toEqual([{ id: 1, name: null }])
    await runThrice(text, [1])
    await server.rows(database, "alter table things add column size int")
    expect(await run(text, [1])).toEqual([{ id: 1, name: null, size: null }])
  })

  it("are not prepared outside of transactions, where lists are read with values of all kinds", async () => {
    const text = "select id from things where id > $1"
    const statements = pooledStatements(connections, database)
    for (let runs = 0; runs < 3; runs += 1) await Effect.runPromise(statements.rows(text, [1]))
    expect(await countPrepared(text)).toBe(0)
  })
})
