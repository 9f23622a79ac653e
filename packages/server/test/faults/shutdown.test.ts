import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { isAlive } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { postmasterOf } from "../harness/data-dir.ts"
import { aProject, aStreak, noonZone, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { eventName, startClients } from "./ingest-clients.ts"
import { expectEveryEventOnce, expectStreaksOfTheLog, waitingIn } from "./invariants.ts"

const slowCalls = 10

describe("SIGTERM under load", { timeout: 40_000 }, () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  const sql = sqlIn(environment.DATA_DIR)
  const zone = noonZone()
  let server: TestServer
  let project: TestProject
  let streak: string

  beforeAll(async () => {
    server = await harness.server(environment)
    project = await aProject(server.api)
    streak = await aStreak(server.api, project, { qualifying_event: eventName })
  }, 30_000)
  afterAll(harness.clear)

  /** Sends the head of a request and half of its body. The result sends the rest and reads the status line. */
  const sendHalfARequest = async () => {
    const body = JSON.stringify({ name: "Slow", qualifying_event: "slow" })
    const head = [
      `POST /v1${project.admin}/streaks HTTP/1.1`,
      ...["host: hearth.test", `authorization: ${project.owner.as["authorization"]}`, "connection: close"],
      ...["content-type: application/json", `content-length: ${body.length}`],
    ]
    const socket: Socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    await once(socket, "connect")
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`)
    return async () => {
      socket.write(body.slice(10))
      return (await text(socket)).slice(0, "HTTP/1.1 201".length)
    }
  }

  it("answers open requests, exits with 0 within ten seconds, and prints no error", async () => {
    const clients = startClients(server.api, project, zone.name, 4)
    await expect.poll(() => clients.sent.acknowledged.size, { timeout: 10_000 }).toBeGreaterThan(100)
    const rests = await Promise.all(Array.from({ length: slowCalls }, sendHalfARequest))
    await wait(200)
    const before = performance.now()
    const ending = server.end("SIGTERM")
    await wait(300)
    const answers = await Promise.all(rests.map((rest) => rest()))
    expect(await ending).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(answers).toEqual(Array(slowCalls).fill("HTTP/1.1 201"))
    expect(server.errors()).toBe("")
    const postmaster = postmasterOf(environment.DATA_DIR)
    expect(postmaster === null || !isAlive(postmaster)).toBe(true)
    await clients.stop()

    server = await harness.server(environment)
    await expect.poll(() => waitingIn(sql, project.id), { timeout: 10_000 }).toBe(0)
    await expectEveryEventOnce(sql, project.id, clients.sent)
    const rules = { period: "daily", max_freezes: 0, freezes_per_n_events: null } as const
    await expectStreaksOfTheLog(sql, project.id, new Map([[streak, rules]]), zone.hours, clients.sent)
  })
})
