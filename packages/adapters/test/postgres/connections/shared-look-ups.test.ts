import { databaseUrl } from "@hearth/test-services"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Connections, makeConnections } from "../../../src/postgres/connections/connections.ts"
import { pooledStatements, type Statements } from "../../../src/postgres/connections/statements.ts"
import { type TestServer, testServer } from "../server.ts"

const most = 4

describe("look-ups of several callers", () => {
  let server: TestServer
  let connections: Connections
  let database: string
  let statements: Statements
  beforeAll(async () => {
    server = testServer()
    database = `${server.prefix}lookups`
    await server.rows("postgres", `create database "${database}"`)
    connections = makeConnections(
      { url: new URL(databaseUrl()), connectMillis: 5_000, statementMillis: 20_000, idleInTransactionMillis: 20_000 },
      { max: most, maxPerDatabase: most, idleMillis: 10_000, acquireMillis: 2_000 },
    )
  })
  beforeEach(async () => {
    await connections.forget(database)
    statements = pooledStatements(connections, database)
  })
  afterAll(async () => {
    await connections.close()
    await server.close()
  })

  const ask = <Row>(name: string, text: string, ...values: ReadonlyArray<unknown>) =>
    Effect.runPromise(statements.lookUp<Row>(name, text, values))
  const askFor = (value: number) =>
    ask<{ readonly pid: number; readonly value: number }>(
      "which",
      "select pg_backend_pid() as pid, $1::int as value",
      value,
    ).then(([row]) => row)
  const divide = (by: number) => ask("divide", "select 6 / $1::int as part", by)
  const inAll = () => Promise.all(Array.from({ length: most }, () => connections.acquire(database)))

  it("are each answered for themselves, eight over one connection", async () => {
    const values = Array.from({ length: 100 }, (_, value) => value)
    const rows = await Promise.all(values.map(askFor))
    expect(rows.map((row) => row?.value)).toEqual(values)
    const pids = rows.slice(0, 8).map((row) => row?.pid)
    expect(new Set(pids).size).toBe(1)
    await expect.poll(() => connections.figures()).toMatchObject({ inUse: 0, waiting: 0 })
    expect(connections.lines().inLine).toBe(0)
  })

  it("fail alone", async () => {
    for (let round = 0; round < 2; round += 1) {
      const [one, failed, other] = await Promise.allSettled([divide(2), divide(0), divide(3)])
      expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } })
      expect([one, other]).toMatchObject([{ value: [{ part: 3 }] }, { value: [{ part: 2 }] }])
    }
  })

  it("fail with their own error where none of them can be prepared", async () => {
    const failed = await Promise.allSettled([1, 2, 3].map(() => ask("wrong", "select no_column")))
    expect(failed).toMatchObject(Array(3).fill({ status: "rejected", reason: { code: "42703" } }))
  })

  it("are answered though a migration has changed what they answer", async () => {
    await server.rows(database, "create table changed (one int)")
    await server.rows(database, "insert into changed values (1)")
    const statement = { name: "changed", text: "select * from changed", values: [] }
    const held = await inAll()
    for (const connection of held) await connection.run(statement)
    for (const connection of held) connections.release(connection)
    await server.rows(database, "alter table changed add column two int default 2")
    const rows = await Promise.all(Array.from({ length: 20 }, () => ask(statement.name, statement.text)))
    expect(rows).toEqual(Array(20).fill([{ one: 1, two: 2 }]))
  })

  it("fail together where their connection ends, and those after them do not", async () => {
    const end = () => ask("end", "select pg_terminate_backend(pg_backend_pid())")
    const failed = await Promise.allSettled([divide(1), end(), divide(2), divide(3)])
    expect(failed.slice(1)).toMatchObject(Array(3).fill({ status: "rejected", reason: { name: "ConnectionLost" } }))
    expect(await divide(1)).toEqual([{ part: 6 }])
  })

  it("wait for a connection, together, and are turned away together", async () => {
    const held = await inAll()
    const waiting = Promise.all(Array.from({ length: 20 }, (_, value) => askFor(value)))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(connections.figures().waiting).toBe(1)
    for (const connection of held) connections.release(connection)
    expect(await waiting).toHaveLength(20)

    const again = await inAll()
    const refused = await Promise.allSettled(Array.from({ length: 1_001 }, (_, value) => askFor(value)))
    const reasons = refused.map((one) => one.status === "rejected" && one.reason.reason)
    expect(reasons.slice(0, 1_000)).toEqual(Array(1_000).fill("connection"))
    expect(reasons[1_000]).toBe("line")
    for (const connection of again) connections.release(connection)
    expect((await askFor(7))?.value).toBe(7)
  })
})
