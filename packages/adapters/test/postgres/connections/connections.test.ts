import { once } from "node:events"
import { type AddressInfo, connect as connectTo, createServer } from "node:net"
import { databaseUrl, startPostgresProxy } from "@hearth/test-services"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import type { Connection, ConnectionSettings } from "../../../src/postgres/connections/connection.ts"
import { ConnectionLost } from "../../../src/postgres/connections/connection-lost.ts"
import {
  type ConnectionLimits,
  type Connections,
  makeConnections,
} from "../../../src/postgres/connections/connections.ts"
import { type TestServer, testServer } from "../server.ts"

describe("connections", () => {
  let server: TestServer
  let databases: ReadonlyArray<string>
  const opened: Array<Connections> = []
  beforeAll(async () => {
    server = testServer()
    databases = ["a", "b", "c", "d"].map((name) => `${server.prefix}${name}`)
    for (const name of databases) await server.rows("postgres", `create database "${name}"`)
  })
  afterEach(() => Promise.all(opened.splice(0).map((connections) => connections.close())))
  afterAll(() => server.close())

  const make = (limits: Partial<ConnectionLimits> = {}, settings: Partial<ConnectionSettings> = {}) => {
    const connections = makeConnections(
      {
        url: new URL(databaseUrl()),
        connectMillis: 5_000,
        statementMillis: 20_000,
        idleInTransactionMillis: 20_000,
        ...settings,
      },
      { max: 4, maxPerDatabase: 2, idleMillis: 10_000, acquireMillis: 10_000, ...limits },
    )
    opened.push(connections)
    return connections
  }
  const database = (at: number) => databases[at] ?? ""
  const use = async (connections: Connections, name: string, text = "select 1") => {
    const connection = await connections.acquire(name)
    try {
      return await connection.run({ text, values: [] })
    } finally {
      connections.release(connection)
    }
  }
  const pidOf = async (connection: Connection) => {
    const { rows } = await connection.run({ text: "select pg_backend_pid() as pid", values: [] })
    return (rows[0] as { readonly pid: number }).pid
  }
  const terminate = (pid: number) => server.rows("postgres", `select pg_terminate_backend(${pid}, 5000)`)
  const none = { databases: 0, inUse: 0, idle: 0, waiting: 0 }
  const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 45_000 })

  it("reuses a connection, and opens another only when it is in use", async () => {
    const connections = make()
    const first = await connections.acquire(database(0))
    const pid = await pidOf(first)
    const second = await connections.acquire(database(0))
    expect(await pidOf(second)).not.toBe(pid)
    expect(connections.figures()).toEqual({ databases: 1, inUse: 2, idle: 0, waiting: 0 })
    connections.release(second)
    connections.release(first)
    expect(connections.figures()).toEqual({ databases: 1, inUse: 0, idle: 2, waiting: 0 })
    const again = await connections.acquire(database(0))
    expect(await pidOf(again)).toBe(pid)
    connections.release(again)
  })

  it("closes the connections of an idle database, and opens new ones later", async () => {
    const connections = make({ idleMillis: 50 })
    await use(connections, database(0))
    await eventually(() => expect(connections.figures()).toEqual(none))
    await eventually(async () => expect(await server.connections(database(0))).toBe(0))
    expect((await use(connections, database(0))).rowCount).toBe(1)
  })

  it("never exceeds the limit of connections, with several busy databases", async () => {
    const connections = make({ max: 3 })
    let most = 0
    const calls = Array.from({ length: 60 }, async (_, turn) => {
      const { rows } = await use(connections, database(turn % 4), "select current_database() as name, pg_sleep(0.005)")
      expect(rows).toMatchObject([{ name: database(turn % 4) }])
      const { inUse, idle } = connections.figures()
      most = Math.max(most, inUse + idle)
    })
    const watch = server.connections()
    await Promise.all(calls)
    expect(await watch).toBeLessThanOrEqual(3)
    expect(most).toBe(3)
    expect(connections.figures().waiting).toBe(0)
  })

  it("closes an idle connection when another database needs its permit", async () => {
    const connections = make({ max: 1, acquireMillis: 2_000, idleMillis: 60_000 })
    await use(connections, database(0))
    expect((await use(connections, database(1))).rowCount).toBe(1)
    const held = await connections.acquire(database(2))
    const next = use(connections, database(3))
    connections.release(held)
    expect((await next).rowCount).toBe(1)
    expect(connections.figures()).toEqual({ databases: 1, inUse: 0, idle: 1, waiting: 0 })
  })

  it("limits the connections of one database, and serves callers in order", async () => {
    const connections = make()
    const order: Array<number> = []
    const calls = Array.from({ length: 20 }, async (_, turn) => {
      await use(connections, database(0), "select pg_sleep(0.002)")
      order.push(turn)
    })
    expect(connections.figures()).toMatchObject({ databases: 1, waiting: 20 })
    await Promise.all(calls)
    expect(order.slice(-4).every((turn) => turn >= 12)).toBe(true)
    expect(connections.figures()).toEqual({ databases: 1, inUse: 0, idle: 2, waiting: 0 })
  })

  it("serves a database while others keep all connections busy", async () => {
    const connections = make({ max: 2 })
    let isBusy = true
    const keepBusy = async () => {
      while (isBusy) await use(connections, database(0), "select pg_sleep(0.002)")
    }
    const busy = [keepBusy(), keepBusy(), keepBusy(), keepBusy()]
    await use(connections, database(0))
    const { rows } = await use(connections, database(1), "select current_database() as name")
    expect(rows).toEqual([{ name: database(1) }])
    isBusy = false
    await Promise.all(busy)
  })

  it("fails when no connection is free in time", async () => {
    const connections = make({ acquireMillis: 100 })
    // To make one may take longer than that.
    const hold = () => vi.waitFor(() => connections.acquire(database(0)), { timeout: 45_000 })
    const held = [await hold(), await hold()]
    await expect(connections.acquire(database(0))).rejects.toMatchObject({ name: "DatabaseBusy", reason: "connection" })
    expect(connections.figures().waiting).toBe(0)
    for (const connection of held) connections.release(connection)
    expect((await use(connections, database(0))).rowCount).toBe(1)
  })

  it("tells a server that does not answer from one that is busy", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1")
    await once(silent, "listening")
    const { port } = silent.address() as AddressInfo
    const url = new URL(`postgres://postgres@127.0.0.1:${port}/postgres`)
    const connections = make({ acquireMillis: 50 }, { url, connectMillis: 200 })
    await expect(connections.acquire(database(0))).rejects.toBeInstanceOf(ConnectionLost)
    silent.close()
  })

  it("gives up a statement whose answer never comes", async () => {
    const proxy = await startPostgresProxy(databaseUrl())
    const url = new URL(proxy.through(databaseUrl()))
    const connections = make({}, { url, statementMillis: 50, answerMillis: 50 })
    const connection = await connections.acquire(database(0))
    const stalled = proxy.stallAt("select 'marker'")
    await expect(connection.run({ text: "select 'marker'", values: [] })).rejects.toBeInstanceOf(ConnectionLost)
    await stalled
    connections.release(connection)
    await eventually(() => expect(connections.figures()).toEqual(none))
    await proxy.close()
  })

  it("rejects all callers of an unreachable database, and serves others", async () => {
    const connections = make({ acquireMillis: 60_000 })
    const attempts = await Promise.allSettled(
      Array.from({ length: 30 }, () => use(connections, `${server.prefix}nowhere`)),
    )
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ status: "rejected", reason: expect.any(ConnectionLost) })
    }
    await eventually(() => expect(connections.figures()).toEqual(none))
    expect((await use(connections, database(0))).rowCount).toBe(1)
    const refused = make({}, { url: new URL("postgres://postgres:wrong@127.0.0.1:1/postgres") })
    await expect(use(refused, database(0))).rejects.toBeInstanceOf(ConnectionLost)
  })

  it("recovers after connects that failed, with every permit", async () => {
    const late = `${server.prefix}late`
    const connections = make({ max: 2, maxPerDatabase: 2 })
    for (let time = 0; time < 5; time += 1) {
      await expect(use(connections, late)).rejects.toBeInstanceOf(ConnectionLost)
    }
    await eventually(() => expect(connections.figures()).toEqual(none))
    await server.rows("postgres", `create database "${late}"`)
    const both = await Promise.all([connections.acquire(late), connections.acquire(late)])
    expect(connections.figures()).toEqual({ databases: 1, inUse: 2, idle: 0, waiting: 0 })
    for (const connection of both) connections.release(connection)
    expect((await use(connections, database(0))).rowCount).toBe(1)
  })

  it("lets callers wait for a connection that is open, while others cannot be made", async () => {
    const server = new URL(databaseUrl())
    let isOpen = true
    const proxy = createServer((socket) => {
      if (!isOpen) {
        socket.destroy()
        return
      }
      const upstream = connectTo(Number(server.port), server.hostname)
      for (const end of [socket, upstream]) end.on("error", () => {})
      socket.pipe(upstream).pipe(socket)
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const { port } = proxy.address() as AddressInfo
    const url = Object.assign(new URL(server), { host: `127.0.0.1:${port}` })
    const connections = make({ max: 3, maxPerDatabase: 3 }, { url })
    const held = await connections.acquire(database(0))
    isOpen = false
    const waiting = [use(connections, database(0)), use(connections, database(0))]
    await eventually(() => expect(connections.figures()).toMatchObject({ inUse: 1, waiting: 2 }))
    connections.release(held)
    expect((await Promise.all(waiting)).map(({ rowCount }) => rowCount)).toEqual([1, 1])
    isOpen = true
    const all = await Promise.all([0, 1, 2].map(() => connections.acquire(database(0))))
    expect(connections.figures()).toMatchObject({ inUse: 3, waiting: 0 })
    for (const connection of all) connections.release(connection)
    await connections.close()
    await new Promise((resolve) => proxy.close(resolve))
  })

  it("discards broken connections, idle or in use", async () => {
    const connections = make()
    const [first, second] = [await connections.acquire(database(0)), await connections.acquire(database(0))]
    const [pid, other] = [await pidOf(first), await pidOf(second)]
    const running = first.run({ text: "select pg_sleep(30)", values: [] })
    const outcome = expect(running).rejects.toBeInstanceOf(ConnectionLost)
    connections.release(second)
    await terminate(pid)
    await outcome
    await expect(first.run({ text: "select 1", values: [] })).rejects.toBeInstanceOf(ConnectionLost)
    connections.release(first)
    await terminate(other)
    await eventually(() => expect(connections.figures()).toEqual(none))
    expect((await use(connections, database(0))).rowCount).toBe(1)
  })

  it("closes a connection that is released in a transaction", async () => {
    const connections = make()
    const connection = await connections.acquire(database(0))
    await connection.run({ text: "begin", values: [] })
    connections.release(connection)
    await eventually(() => expect(connections.figures()).toEqual(none))
  })

  it("ends slow statements and idle transactions", async () => {
    const connections = make({}, { statementMillis: 500, idleInTransactionMillis: 500 })
    await expect(use(connections, database(0), "select pg_sleep(30)")).rejects.toMatchObject({ code: "57014" })
    const connection = await connections.acquire(database(0))
    await connection.run({ text: "begin", values: [] })
    await eventually(async () => expect(await server.connections(database(0))).toBe(0))
    connections.release(connection)
    await eventually(() => expect(connections.figures()).toMatchObject({ inUse: 0 }))
  })

  it("closes: waits for connections in use, and refuses new callers", async () => {
    const connections = make({ acquireMillis: 5_000 })
    await use(connections, database(1))
    const held = await connections.acquire(database(0))
    let isClosed = false
    const closing = connections.close().then(() => {
      isClosed = true
    })
    await expect(connections.acquire(database(0))).rejects.toBeInstanceOf(ConnectionLost)
    expect(isClosed).toBe(false)
    expect((await held.run({ text: "select 1", values: [] })).rowCount).toBe(1)
    connections.release(held)
    await closing
    expect(connections.figures()).toEqual(none)
  })
})
