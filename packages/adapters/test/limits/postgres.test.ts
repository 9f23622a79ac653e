import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { databaseUrl } from "@hearth/test-services"
import { rateLimiterContract } from "@hearth/testing/contracts"
import { Pool } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { postgresRateLimiter } from "../../src/limits/index.ts"
import { countTogether, expectAttemptsTogether, expectLimited, FOUND, LOST, waitUntilTogether } from "./fallback.ts"

/** A proxy to the database that can be closed, stop forwarding and be opened again. */
const startProxy = async (target: URL) => {
  let mode: "open" | "closed" | "silent" = "open"
  const sockets = new Set<Socket>()
  const server: Server = createServer((incoming) => {
    if (mode === "closed") return incoming.destroy()
    const outgoing = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on("error", () => {}).on("close", () => sockets.delete(socket))
    }
    incoming.on("data", (bytes) => mode === "silent" || outgoing.write(bytes)).on("close", () => outgoing.destroy())
    outgoing.on("data", (bytes) => mode === "silent" || incoming.write(bytes)).on("close", () => incoming.destroy())
    return undefined
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const set = (next: typeof mode) => {
    mode = next
    if (next !== "silent") for (const socket of sockets) socket.destroy()
  }
  const stop = () => {
    set("closed")
    server.close()
  }
  return { url: url.href, set, stop }
}

describe("on PostgreSQL", () => {
  let url: string
  let target: URL
  const pools: Array<Pool> = []
  const openPool = (connectionString: string) => {
    const pool = new Pool({ connectionString, max: 5 })
    pool.on("error", () => {})
    pools.push(pool)
    return pool
  }
  beforeAll(async () => {
    const admin = new URL(databaseUrl())
    const name = `hearth_limits_test_${process.pid}`
    await openPool(admin.href).query(`create database ${name}`)
    target = new URL(admin)
    target.pathname = `/${name}`
    url = target.href
  })
  afterAll(async () => {
    const [admin, ...others] = pools
    for (const pool of others) await pool.end()
    await admin?.query(`drop database if exists ${target.pathname.slice(1)} with (force)`)
    await admin?.end()
  })

  const newLimiter = () => postgresRateLimiter(openPool(url))

  it("creates its table, also when several processes do so at once", async () => {
    const errors: Array<string> = []
    const limiterOfAProcess = () => postgresRateLimiter(openPool(url), (_, { error }) => errors.push(String(error)))
    const first = limiterOfAProcess()
    const others = Array.from({ length: 7 }, limiterOfAProcess)
    await Promise.all([first, ...others].map((limiter) => expectLimited(limiter)))
    for (const other of others) await waitUntilTogether(first, other)
    expect(errors.filter((error) => /exists|duplicate/.test(error))).toEqual([])
    const { rows } = await openPool(url).query("select key from hearth_limits.calls")
    for (const { key } of rows) expect(key).toMatch(/^\d+\/\d+:[\w-]{43}$/)
    expect(rows.length).toBeGreaterThan(0)
  })

  rateLimiterContract("PostgreSQL", () => ({
    limiter: newLimiter(),
    pass: (seconds) => setTimeout(seconds * 1000),
  }))

  it("holds attempts of all processes together, without a deadlock", async () => {
    const errors: Array<string> = []
    const limiterOfAProcess = () => postgresRateLimiter(openPool(url), (_, { error }) => errors.push(String(error)))
    for (let round = 0; round < 5; round += 1) await expectAttemptsTogether(limiterOfAProcess(), limiterOfAProcess())
    expect(errors).toEqual([])
  })

  it("goes on with the table of an earlier release, which may still count in it", async () => {
    const pool = openPool(url)
    await pool.query("drop schema if exists hearth_limits cascade")
    await pool.query(`create schema hearth_limits; create unlogged table hearth_limits.calls
      (key text primary key, points integer not null default 0, expire bigint)`)
    await expectAttemptsTogether(newLimiter(), newLimiter())
    await pool.query("insert into hearth_limits.calls values ('of an earlier release', 1, 1)")
  })

  it("creates its table again when it is missing", async () => {
    const [one, other] = [newLimiter(), newLimiter()]
    await waitUntilTogether(one, other)
    await openPool(url).query("drop schema hearth_limits cascade")
    await expectLimited(one)
    await waitUntilTogether(one, other)
  })

  it("limits locally while the database is away or does not answer, and returns to it", async () => {
    const messages: Array<string> = []
    const proxy = await startProxy(target)
    proxy.set("closed")
    const one = postgresRateLimiter(openPool(proxy.url), (message) => messages.push(message))
    const other = newLimiter()
    await expectLimited(one)
    expect(await countTogether(one, other)).toBe(false)
    expect(messages).toEqual([LOST])
    proxy.set("open")
    await waitUntilTogether(one, other)
    expect(messages).toEqual([LOST, FOUND])

    proxy.set("silent")
    await expectLimited(one)
    expect(await countTogether(one, other)).toBe(false)
    proxy.set("open")
    await waitUntilTogether(one, other)
    expect(messages).toEqual([LOST, FOUND, LOST, FOUND])
    proxy.stop()
  })
})
