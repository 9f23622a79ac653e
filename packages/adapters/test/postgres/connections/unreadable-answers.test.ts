import { type AddressInfo, connect as connectTo, createServer } from "node:net"
import { databaseUrl } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Connection, connect } from "../../../src/postgres/connections/connection.ts"
import { ConnectionLost } from "../../../src/postgres/connections/connection-lost.ts"

/** A message of a row with two values, the first of which would end far behind it. */
const brokenRow = Buffer.from([0x44, 0, 0, 0, 14, 0, 2, 0x32, 0, 0, 0, 0, 0, 0, 0])

describe("an answer that cannot be read", () => {
  const target = new URL(databaseUrl())
  let isBroken = false
  const proxy = createServer((client) => {
    const server = connectTo(Number(target.port), target.hostname)
    client.on("data", (bytes) => server.write(bytes))
    server.on("data", (bytes) => client.write(isBroken ? brokenRow : bytes))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on("error", () => {}).on("close", () => other.destroy())
  })
  beforeAll(() => new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve)))
  afterAll(() => new Promise((resolve) => proxy.close(resolve)))

  it("costs its connection, and neither the process nor the next one", async () => {
    const { port } = proxy.address() as AddressInfo
    const lost: Array<Connection> = []
    const open = () =>
      connect(
        {
          url: Object.assign(new URL(target), { host: `127.0.0.1:${port}` }),
          ...{ connectMillis: 5_000, statementMillis: 20_000, idleInTransactionMillis: 20_000 },
        },
        "postgres",
        (connection) => lost.push(connection),
      )
    const one = await open()
    isBroken = true
    await expect(one.run({ text: "select 1", values: [] })).rejects.toBeInstanceOf(ConnectionLost)
    expect(one.isFresh()).toBe(false)
    expect(lost).toEqual([one])
    isBroken = false
    const two = await open()
    expect((await two.run({ text: "select 2 as two", values: [] })).rows).toEqual([{ two: 2 }])
    await Promise.all([one.close(), two.close()])
  })
})
