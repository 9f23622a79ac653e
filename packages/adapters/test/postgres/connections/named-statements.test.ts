import { databaseUrl } from "@hearth/test-services"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Answer } from "../../../src/postgres/connections/answer.ts"
import { connect } from "../../../src/postgres/connections/connection.ts"
import { ConnectionLost } from "../../../src/postgres/connections/connection-lost.ts"
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

  const withTransaction = async (
    use: (
      run: (name: string | undefined, text: string, values?: ReadonlyArray<unknown>) => Promise<Answer>,
    ) => Promise<void>,
  ) => {
    const connection = await connections.acquire(database)
    const run = (name: string | undefined, text: string, values: ReadonlyArray<unknown> = []) =>
      connection.run({ text, values, inTransaction: true, ...(name !== undefined && { name }) })
    await run(undefined, "begin")
    try {
      await use(run)
    } finally {
      await run(undefined, "rollback").catch(() => {})
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

  it("answer lists of uuids, whatever is in them", () =>
    withConnection(async (run) => {
      const [one, other] = ["018f4e9c-2b1a-7c3d-8e4f-5a6b7c8d9e0f", "a18f4e9c-2b1a-7c3d-8e4f-5a6b7c8d9e0f"]
      const columns = `array[$1, $2]::uuid[] as two, array[$2]::uuid[] as one, '{}'::uuid[] as none, null::uuid[] as nothing,
        array[$1, null]::uuid[] as some, array[null]::uuid[] as unknown, array[array[$1, $2], array[$2, null]]::uuid[] as table`
      expect(await run("uuids", `select ${columns}`, [one, other])).toEqual({
        rows: [
          {
            ...{ two: [one, other], one: [other], none: [], nothing: null, some: [one, null], unknown: [null] },
            table: [
              [one, other],
              [other, null],
            ],
          },
        ],
        rowCount: 1,
      })
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

  it("fail where what they have done cannot be committed", () =>
    withConnection(async (run) => {
      await run("make deferred", "create temporary table deferred (at int unique deferrable initially deferred)")
      const fill = (values: ReadonlyArray<number>) =>
        run("fill deferred", "insert into deferred select unnest($1::int[]) returning at", [values])
      expect(await fill([1])).toEqual({ rows: [{ at: 1 }], rowCount: 1 })
      const settled = await Promise.allSettled([fill([2]), fill([1]), fill([3, 3]), fill([4])])
      const failed = { status: "rejected", reason: { code: "23505" } }
      const done = (at: number) => ({ value: { rows: [{ at }] } })
      expect(settled).toMatchObject([done(2), failed, failed, done(4)])
    }))

  it("of a transaction are answered each for itself, in the order of the calls, others between them", () =>
    withTransaction(async (run) => {
      const double = (value: number) => run("double", "select $1::int * 2 as doubled", [value])
      const plain = (value: number) => run(undefined, `select ${value} as plain`)
      const none = run("none of them", "select 1 as one where false")
      const together = await Promise.all([double(1), none, double(2), plain(3), double(4), plain(5)])
      expect(together.map(({ rows }) => rows)).toEqual([
        ...[[{ doubled: 2 }], [], [{ doubled: 4 }], [{ plain: 3 }]],
        ...[[{ doubled: 8 }], [{ plain: 5 }]],
      ])
    }))

  it("are sent up to four together in a transaction, and alone outside of one", async () => {
    const count = (run: (name: string, text: string) => Promise<unknown>, statements: number) => {
      const sync = vi.spyOn(
        (pg as unknown as { Connection: { prototype: { sync(): void } } }).Connection.prototype,
        "sync",
      )
      const sent = Array.from({ length: statements }, (_, at) => run(`counted ${at}`, `select ${at} as at`))
      return Promise.all(sent).then(() => {
        const { length } = sync.mock.calls
        sync.mockRestore()
        return length
      })
    }
    await withTransaction(async (run) => expect(await count(run, 9)).toBe(3))
    await withConnection(async (run) => expect(await count(run, 9)).toBe(9))
  })

  it("of a transaction fail with the first that fails, and run in the next one", () =>
    withTransaction(async (run) => {
      const divide = (name: string, by: number) => run(name, "select 6 / $1::int as part", [by])
      for (const by of [0, 0, 2]) {
        await run(undefined, "rollback")
        await run(undefined, "begin")
        const names = ["first", "second", "third", "fourth"]
        const settled = await Promise.allSettled(names.map((name, at) => divide(name, at === 1 ? by : 3)))
        const failed = { status: "rejected", reason: { code: "22012" } }
        const done = (part: number) => ({ value: { rows: [{ part }] } })
        expect(settled).toMatchObject(
          by === 0 ? [done(2), failed, failed, failed] : [done(2), done(3), done(2), done(2)],
        )
      }
    }))

  it("of a transaction are not sent with a value that cannot be written, and keep their answers apart", () =>
    withTransaction(async (run) => {
      const show = (name: string, value: unknown) => run(name, `select '${name}' as name, $1::jsonb as json`, [value])
      for (let round = 0; round < 2; round += 1) {
        const settled = await Promise.allSettled([
          show("one", { a: 1 }),
          show("two", { a: 1n }),
          show("three", { a: 3 }),
        ])
        expect(settled).toMatchObject([
          { value: { rows: [{ name: "one", json: { a: 1 } }] } },
          { status: "rejected", reason: expect.any(TypeError) },
          { value: { rows: [{ name: "three", json: { a: 3 } }] } },
        ])
      }
    }))

  it("of a transaction are not sent under the name of another", () =>
    withTransaction(async (run) => {
      const settled = await Promise.allSettled([
        run("twice", "select 1 as one"),
        run("twice", "select 2 as two"),
        run("once", "select 3 as three"),
      ])
      expect(settled).toMatchObject([
        { value: { rows: [{ one: 1 }] } },
        { status: "rejected", reason: expect.any(Error) },
        { value: { rows: [{ three: 3 }] } },
      ])
    }))

  it("of a transaction may take as long together as each by itself", async () => {
    const settings = { url: new URL(databaseUrl()), connectMillis: 5_000, statementMillis: 3_000, answerMillis: 500 }
    const connection = await connect({ ...settings, idleInTransactionMillis: 20_000 }, database)
    const run = (name: string, text: string) => connection.run({ name, text, values: [], inTransaction: true })
    try {
      await connection.run({ text: "begin", values: [] })
      const slow = ["one", "two", "three"].map((name) => run(name, `select '${name}' as name from pg_sleep(1.4)`))
      const answers = await Promise.all(slow)
      expect(answers.flatMap(({ rows }) => rows)).toEqual([{ name: "one" }, { name: "two" }, { name: "three" }])
      await expect(run("four", "select pg_sleep(20)")).rejects.toMatchObject({ code: "57014" })
    } finally {
      await connection.close()
    }
  })

  it("of a transaction fail when the connection is lost", () =>
    withTransaction(async (run) => {
      const settled = Promise.allSettled([
        run("kill", "select pg_terminate_backend(pg_backend_pid())"),
        run("after", "select $1::int as after", [1]),
      ])
      const lost = { status: "rejected", reason: expect.any(ConnectionLost) }
      expect(await settled).toMatchObject([lost, lost])
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
