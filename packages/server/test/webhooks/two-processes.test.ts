import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"
import { anEvent, configure, type InboxAnswer, readInbox, send } from "./client.ts"

describe("webhooks that two servers and two workers share", () => {
  const harness = makeHarness()
  let sql: Sql
  let servers: readonly [TestServer, TestServer]
  let project: TestProject

  beforeAll(async () => {
    const [database, redis] = [await harness.database(), await harness.redis()]
    sql = database.sql
    const environment = { ...database.environment, REDIS_URL: redis.url }
    servers = [await harness.server(environment), await harness.server(environment)]
    await Promise.all([harness.worker(environment), harness.worker(environment)])
    project = await aProject(servers[0].api)
    await configure(servers[0], project)
  })
  afterAll(harness.clear)

  const onBoth = (count: number, work: (server: TestServer, turn: number) => ReturnType<typeof send>) =>
    Promise.all(Array.from({ length: count }, (_, turn) => work(servers[turn % 2 === 0 ? 0 : 1], turn)))

  it("are taken in once, and processed once, however often they come at once [H2.1]", async () => {
    const user = await aUser(servers[0].api, project)
    const events = Array.from({ length: 10 }, () => anEvent({ id: randomUUID(), app_user_id: user.id }))
    for (const event of events) {
      const answers = await onBoth(6, (server) => send(server, project, event))
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    }
    const statuses = async () =>
      (await readInbox(servers[0], project)).flatMap((row) => (row.app_user_id === user.id ? [row.status] : []))
    await expect.poll(statuses).toEqual(Array(10).fill("processed"))
    const [row] = await sql.rows(
      project.id,
      `select (select count(*)::int from webhook_inbox where provider_event_id = any ($2)) as rows,
         (select count(*)::int from outbox_dead) as dead,
         (select count(*)::int from engagement_events where event_name like 'subscription_%' and app_user_id = $1) as events`,
      [user.id, events.map(({ event }) => event.id)],
    )
    expect(row).toEqual({ rows: 10, dead: 0, events: 10 })
  })

  it("are replayed on both at once with one result, while the same come in [H2.3]", async () => {
    const user = await aUser(servers[0].api, project)
    await send(servers[0], project, anEvent({ id: randomUUID(), app_user_id: user.id }))
    const newest = async () => (await readInbox(servers[0], project, "limit=1"))[0]
    await expect.poll(newest).toMatchObject({ app_user_id: user.id, status: "processed" })
    const entry = await newest()
    const path = `${project.admin}/webhooks/inbox/${entry?.id}/replay`
    const replays = await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        servers[turn % 2 === 0 ? 0 : 1].api.ok<InboxAnswer>("POST", path, project.owner.as),
      ),
    )
    for (const { status, app_user_id } of replays)
      expect([status, app_user_id]).toEqual(["processed", entry?.app_user_id])
    const events = "select 1 from engagement_events where event_name like 'subscription_%' and app_user_id = $1"
    expect(await sql.rows(project.id, events, [user.id])).toHaveLength(1)
  })

  it("are limited together: 100 per second and project, over both processes [H2.1]", async () => {
    const other = await aProject(servers[0].api)
    await configure(servers[0], other)
    await onBoth(2, (server) => send(server, other, "x"))
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const began = performance.now()
    const answers = await onBoth(300, (server) => send(server, other, "no JSON"))
    const seconds = Math.ceil((performance.now() - began) / 1_000)
    const taken = answers.filter(({ status }) => status === 200)
    const over = answers.filter(({ status }) => status === 429)
    // So many at once are more than a slow machine does in time; the provider sends those again.
    const busy = answers.filter(({ status }) => status === 503)
    expect(taken.length + over.length + busy.length).toBe(300)
    // A window begins with the first call in it, so a span of n seconds touches at most n + 1 windows.
    expect(taken.length).toBeLessThanOrEqual(100 * (seconds + 1))
    expect(taken.length + busy.length).toBeGreaterThanOrEqual(100)
    if (seconds === 1) expect(over.length + busy.length).toBeGreaterThanOrEqual(100)
    for (const { headers } of over) expect(headers.get("retry-after")).toBe("1")
  })

  it("stop in both within a second of the integration [H2.1]", async () => {
    const other = await aProject(servers[0].api)
    await configure(servers[0], other)
    const codes = async () => (await onBoth(2, (server) => send(server, other, "x"))).map(({ code }) => code)
    expect(await codes()).toEqual([null, null])
    await servers[0].api.ok("DELETE", `${other.admin}/integrations/subscription`, other.owner.as)
    await expect.poll(codes, { timeout: 4_000 }).toEqual(["NOT_CONFIGURED", "NOT_CONFIGURED"])
  })

  it("of a project that is being removed are refused, and nothing of it comes back", async () => {
    const owner = project.owner
    const doomed = await aProject(servers[0].api, owner)
    await configure(servers[0], doomed)
    const sending = (async () => {
      const seen = new Set<string>()
      for (let turn = 0; turn < 60; turn += 1) {
        const { status, code } = await send(servers[turn % 2 === 0 ? 0 : 1], doomed, anEvent())
        seen.add(`${status} ${code}`)
      }
      return seen
    })()
    await servers[0].api.ok("DELETE", doomed.admin, owner.as)
    const seen = await sending
    for (const each of seen)
      expect(["200 null", "404 NOT_CONFIGURED", "502 TENANT_UNAVAILABLE", "503 TENANT_BUSY"]).toContain(each)
    const last = async () => (await send(servers[1], doomed, anEvent())).code
    await expect.poll(last, { timeout: 4_000 }).toBe("NOT_CONFIGURED")
  })
})
