import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PooledTransactions } from "../../../src/postgres/connections/refuse-pooler.ts"
import { type FakePooler, type PoolerOptions, startPooler } from "../fake-pooler.ts"
import { type TestServer, testServer } from "../server.ts"

describe("a pooler in front of PostgreSQL", () => {
  let server: TestServer
  const poolers: Array<FakePooler> = []
  beforeAll(() => {
    server = testServer()
  })
  afterAll(async () => {
    await server.close()
    await Promise.all(poolers.map((pooler) => pooler.close()))
  })

  const openThrough = async (options: PoolerOptions) => {
    const pooler = await startPooler(server.urlOf("postgres"), options)
    poolers.push(pooler)
    return server.open({ databaseUrl: pooler.url })
  }

  const shared: ReadonlyArray<PoolerOptions> = [
    { mode: "transaction", size: 1 },
    { mode: "transaction", size: 3, order: "first" },
    { mode: "transaction", size: 4, order: "first" },
    { mode: "transaction", size: 4, order: "last" },
    { mode: "transaction", size: 5, order: "first" },
    { mode: "transaction", size: 20, order: "last" },
    { mode: "transaction", size: 20, order: "first" },
    { mode: "transaction", size: 20, order: "any" },
  ]
  it.each(shared)("is refused in transaction mode, with a sentence: $size sessions, $order", async (options) => {
    const before = await server.databases()
    await expect(openThrough(options)).rejects.toThrow(PooledTransactions)
    await expect(openThrough(options)).rejects.toThrow(/^DATABASE_URL leads through a pooler .*session mode\.$/)
    expect(await server.databases()).toEqual(before)
  })

  it("is refused with the same sentence when it refuses the parameters of a session", async () => {
    const options: PoolerOptions = { mode: "transaction", size: 20, refusesParameters: true }
    await expect(openThrough(options)).rejects.toThrow(PooledTransactions)
  })

  it("is used in session mode, where everything works", async () => {
    const postgres = await openThrough({ mode: "session", size: 60 })
    expect(postgres.revocations.isHearing()).toBe(true)
    const id = await server.project(postgres)
    expect(await Effect.runPromise(postgres.tenants.read(id, (db) => db.users.list({}, [])))).toEqual([])
    await Effect.runPromise(postgres.close())
  })
})
