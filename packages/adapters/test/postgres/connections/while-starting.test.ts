import { type AddressInfo, connect, createServer } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type TestServer, testServer } from "../server.ts"

/** What a server answers that is starting up: an error of the protocol. */
const startingUp = () => {
  const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up", ""]
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(""))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from("E"), length, body])
}

describe("a PostgreSQL that is starting up", () => {
  let server: TestServer
  let refused = 0
  const proxy = createServer((client) => {
    client.on("error", () => {})
    if (refused < 12) {
      refused += 1
      client.once("data", () => client.end(startingUp()))
      return
    }
    const { hostname, port } = new URL(server.urlOf("postgres"))
    const upstream = connect(Number(port), hostname)
    upstream.on("error", () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  beforeAll(async () => {
    server = testServer()
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  })
  afterAll(async () => {
    await server.close()
    proxy.close()
  })

  it("is waited for", async () => {
    const { port } = proxy.address() as AddressInfo
    const databaseUrl = Object.assign(new URL(server.urlOf("postgres")), { host: `127.0.0.1:${port}` }).href
    await server.open({ databaseUrl, listens: false })
    expect(refused).toBe(12)
  })
})
