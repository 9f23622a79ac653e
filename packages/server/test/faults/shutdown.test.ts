import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { isAlive } from "@hearth/test-services"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { postmasterOf } from "../harness/data-dir.ts"
import { aProject, aStreak, aUser, noonZone, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { eventName, startClients } from "./clients/ingest-clients.ts"
import { startKeepAliveClients } from "./clients/keep-alive-clients.ts"
import { expectEveryEventOnce, expectStreaksOfTheLog, waitingIn } from "./invariants.ts"

const slowCalls = 10
const stopMillis = 10_000
const rules = { period: "daily", max_freezes: 0, freezes_per_n_events: null } as const

describe("SIGTERM under load", () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  const sql = sqlIn(environment.DATA_DIR)
  const zone = noonZone()
  let server: TestServer
  let project: TestProject
  let streak: string

  const start = async () => {
    server = await harness.server(environment)
  }

  beforeEach(async () => {
    await start()
    project = await aProject(server.api)
    streak = await aStreak(server.api, project, { qualifying_event: eventName })
  })
  afterEach(() => server.end("SIGKILL"))
  afterAll(harness.clear, 30_000)

  const openSocket = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    await once(socket, "connect")
    return socket
  }

  /** Resolves when no new connection is taken: the stop has begun. */
  const stopHasBegun = () =>
    expect
      .poll(
        async () => {
          const socket = await openSocket().catch(() => null)
          socket?.destroy()
          return socket
        },
        { timeout: stopMillis, interval: 10 },
      )
      .toBeNull()

  /** Sends the head of a request and half of its body. The result sends the rest and reads the status line. */
  const sendHalfARequest = async () => {
    const body = JSON.stringify({ name: "Slow", qualifying_event: "slow" })
    const head = [
      `POST /v1${project.admin}/streaks HTTP/1.1`,
      ...["host: hearth.test", `authorization: ${project.owner.as["authorization"]}`, "connection: close"],
      ...["content-type: application/json", `content-length: ${body.length}`],
    ]
    const socket = await openSocket()
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`)
    return async () => {
      socket.write(body.slice(10))
      return (await text(socket)).slice(0, "HTTP/1.1 201".length)
    }
  }

  /** Ends the server while `during` goes on, and expects it to end in time, with 0 and without an error in the log. */
  const expectOrderlyEnd = async <A>(during: () => Promise<A>): Promise<A> => {
    const before = performance.now()
    const ending = server.end("SIGTERM")
    const result = await during()
    expect(await ending).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(stopMillis)
    expect(server.errors()).not.toContain('"level":"error"')
    const postmaster = postmasterOf(environment.DATA_DIR)
    expect(postmaster === null || !isAlive(postmaster)).toBe(true)
    return result
  }

  it("answers everything that was sent, and loses no event that it acknowledged", async () => {
    const user = await aUser(server.api, project, zone.name)
    const clients = startClients(server.api, project, zone.name, 4)
    const keeping = startKeepAliveClients(server.url, project, user.id, 60, clients.sent)
    await expect.poll(() => clients.sent.acknowledged.size).toBeGreaterThan(1_000)
    const rests = await Promise.all(Array.from({ length: slowCalls }, sendHalfARequest))
    const answers = await expectOrderlyEnd(async () => {
      await stopHasBegun()
      return Promise.all(rests.map((rest) => rest()))
    })
    expect(answers).toEqual(Array(slowCalls).fill("HTTP/1.1 201"))
    await keeping.ended
    expect([...keeping.outcomes.keys()].filter((outcome) => outcome !== 503)).toEqual([200, "refused"])
    await clients.stop()

    await start()
    await expect.poll(() => waitingIn(sql, project.id)).toBe(0)
    await expectEveryEventOnce(sql, project.id, clients.sent)
    const checkStreaks = () =>
      expectStreaksOfTheLog(sql, project.id, new Map([[streak, rules]]), zone.hours, clients.sent)
    // What is over is marked so after the last batch.
    await expect.poll(checkStreaks).toBeUndefined()
  })

  /** Begins to download 50 MB and stops to read. The result is the rest that comes until the end. */
  const exportSlowly = async (userId: string) => {
    await sql.rows(
      project.id,
      `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
       select gen_random_uuid(), $1, 'filler', jsonb_build_object('text', repeat('x', 500)), now()
       from generate_series(1, 100000)`,
      [userId],
    )
    const socket = await openSocket()
    const path = `/v1${project.admin}/users/${userId}/events/export?format=ndjson`
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: hearth.test\r\nauthorization: ${project.owner.as["authorization"]}\r\n\r\n`,
    )
    const [first] = await once(socket, "data")
    socket.pause()
    expect(String(first)).toMatch(/^HTTP\/1\.1 200/)
    return () => text(socket).catch(() => "")
  }

  /** Sends an event of a user whose row is locked by somebody else. */
  const sendIntoALock = async (userId: string) => {
    const session = await sql.session(project.id)
    await session.run(`begin; select from app_users where id = '${userId}' for update`)
    const body = { app_user_id: userId, event_name: eventName }
    const answer = server.api.call("POST", `${project.admin}/events`, project.owner.as, body)
    const waiting = "select 1 from pg_locks where not granted"
    await expect.poll(() => sql.rows(project.id, waiting)).not.toHaveLength(0)
    return { answer, end: () => session.end().catch(() => {}) }
  }

  it("is not held up by half a body, a slow reader, a statement that waits, nor by more signals", async () => {
    const [one, two] = [await aUser(server.api, project), await aUser(server.api, project)]
    await sendHalfARequest()
    const idle = await openSocket()
    const readRest = await exportSlowly(one.id)
    const locked = await sendIntoALock(two.id)
    const before = performance.now()
    const ending = server.end("SIGTERM")
    await stopHasBegun()
    process.kill(server.pid, "SIGTERM")
    process.kill(server.pid, "SIGINT")
    expect(await ending).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(stopMillis)
    expect(await locked.answer).toMatchObject({ status: 503, code: "TENANT_BUSY" })
    // Cut off, so that nobody takes the part for the whole.
    expect((await readRest()).endsWith("0\r\n\r\n")).toBe(false)
    await locked.end()
    idle.destroy()
  })
})

describe("SIGTERM during the start", () => {
  const harness = makeHarness()
  afterAll(harness.clear, 30_000)

  it.each([100, 600, 1_500])("ends in order after %i ms on a new data folder", async (millis) => {
    const DATA_DIR = harness.folder()
    const server = harness.launch("server", { environment: { PORT: "0", DATA_DIR, LOG_LEVEL: "warn" } })
    // No instant of the start is special: this tries several.
    await new Promise((resolve) => setTimeout(resolve, millis))
    const before = performance.now()
    const end = await server.end("SIGTERM")
    expect(performance.now() - before).toBeLessThan(stopMillis)
    expect(server.errors()).toBe("")
    // Before a process has any code of its own, the signal ends it.
    if (end.signal !== "SIGTERM") expect(end).toEqual({ code: 0, signal: null })
    const postmaster = postmasterOf(DATA_DIR)
    expect(postmaster === null || !isAlive(postmaster)).toBe(true)
    const next = await harness.server({ DATA_DIR })
    await aProject(next.api)
    expect(await next.end("SIGTERM")).toEqual({ code: 0, signal: null })
  })

  it("ends a server and a worker that wait for a migration", async () => {
    const { environment, sql } = await harness.database()
    const first = await harness.server(environment)
    await aProject(first.api)
    expect(await first.end("SIGTERM")).toEqual({ code: 0, signal: null })
    const session = await sql.session("hearth")
    await session.run("begin; lock table mikro_orm_migrations in access exclusive mode")
    const [server, worker] = [
      harness.launch("server", { environment: { PORT: "0", ...environment } }),
      harness.launch("worker", { environment }),
    ]
    const waiting = "select 1 from pg_locks where not granted"
    await expect.poll(() => sql.rows("hearth", waiting)).toHaveLength(2)
    const before = performance.now()
    expect(await Promise.all([server.end("SIGTERM"), worker.end("SIGTERM")])).toEqual(
      Array(2).fill({ code: 0, signal: null }),
    )
    expect(performance.now() - before).toBeLessThan(stopMillis)
    await session.run("rollback")
    await session.end()
    const next = await harness.server(environment)
    await aProject(next.api)
    expect(await next.end("SIGTERM")).toEqual({ code: 0, signal: null })
  })
})

describe("SIGTERM to a worker", () => {
  const harness = makeHarness()
  afterAll(harness.clear, 30_000)

  it("ends it in time while a batch waits for a lock, also when it comes twice, and the batch is handled once", async () => {
    const { environment, sql } = await harness.database()
    const server = await harness.server(environment)
    const project = await aProject(server.api)
    const streak = await aStreak(server.api, project, { qualifying_event: eventName })
    const zone = noonZone()
    const user = await aUser(server.api, project, zone.name)
    const session = await sql.session(project.id)
    await session.run("begin; lock table user_streaks in exclusive mode")
    await server.api.ok("POST", "/client/events", user.as, { event_name: eventName })
    const worker = await harness.worker(environment)
    const waiting = "select 1 from pg_locks where not granted"
    await expect.poll(() => sql.rows(project.id, waiting)).not.toHaveLength(0)
    const before = performance.now()
    const ending = worker.end("SIGTERM")
    await worker.end("SIGTERM")
    expect(await ending).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(stopMillis)
    await session.run("rollback")
    await session.end()
    await harness.worker(environment)
    await expect.poll(() => waitingIn(sql, project.id)).toBe(0)
    const sent = { orderly: new Set([user.id]), shuffled: new Set<string>() }
    await expectStreaksOfTheLog(sql, project.id, new Map([[streak, rules]]), zone.hours, sent)
  })
})
