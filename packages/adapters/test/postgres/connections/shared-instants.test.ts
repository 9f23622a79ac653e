import { databaseUrl } from "@hearth/test-services"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Connections, makeConnections } from "../../../src/postgres/connections/connections.ts"
import { pooledStatements, type Statements } from "../../../src/postgres/connections/statements.ts"
import { inTransaction } from "../../../src/postgres/connections/transaction.ts"
import { type TestServer, testServer } from "../server.ts"

describe("instants for several callers", () => {
  let server: TestServer
  let connections: Connections
  let database: string
  let statements: Statements
  beforeAll(async () => {
    server = testServer()
    database = `${server.prefix}instants`
    await server.rows("postgres", `create database "${database}"`)
    await server.rows(database, "create table asked (at timestamptz)")
    connections = makeConnections(
      { url: new URL(databaseUrl()), connectMillis: 5_000, statementMillis: 20_000, idleInTransactionMillis: 20_000 },
      { max: 2, maxPerDatabase: 2, idleMillis: 10_000, acquireMillis: 2_000 },
    )
    statements = pooledStatements(connections, database)
  })
  afterAll(async () => {
    await connections.close()
    await server.close()
  })

  const ask = (text: string) => Effect.runPromise(statements.instant(text))
  const inMillis = (millis: number) => `select to_timestamp(${millis} / 1000.0)`
  const outcomes = async (texts: ReadonlyArray<string>) =>
    (await Promise.allSettled(texts.map(ask))).map((one) => (one.status === "fulfilled" ? one.value : one.reason.code))

  it("are each answered for themselves, by one statement", async () => {
    const answered = await outcomes([
      inMillis(1),
      "select min(at) from asked",
      "select at from asked limit 1",
      inMillis(2),
    ])
    expect(answered).toEqual([new Date(1), null, null, new Date(2)])
    // All of a statement have the same time.
    const [one, other] = await outcomes(["select statement_timestamp()", "select statement_timestamp()"])
    expect(one).toEqual(other)
  })

  it("fail alone", async () => {
    const failing = "select to_timestamp(1 / (select count(*) from asked))"
    expect(await outcomes([inMillis(1), failing, inMillis(2), "select at from nothing"])).toEqual([
      new Date(1),
      "22012",
      new Date(2),
      "42P01",
    ])
  })

  it("fail together where the connection ends, and those after them do not", async () => {
    const end = "select now() where pg_terminate_backend(pg_backend_pid())"
    const failed = await Promise.allSettled([inMillis(1), end].map(ask))
    expect(failed).toMatchObject(Array(2).fill({ status: "rejected", reason: { name: "ConnectionLost" } }))
    await expect.poll(() => ask(inMillis(3)).catch(() => null)).toEqual(new Date(3))
  })

  it("are asked for one by one in a transaction", async () => {
    const asked = inTransaction(connections, database, (transaction) =>
      Effect.all([transaction.instant(inMillis(1)), transaction.instant(inMillis(2))], { concurrency: "unbounded" }),
    )
    expect(await Effect.runPromise(asked)).toEqual([new Date(1), new Date(2)])
  })
})
