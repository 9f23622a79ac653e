import { randomUUID } from "node:crypto"
import { type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { RunningProcess } from "../harness/process.ts"
import type { Sql } from "../harness/sql.ts"
import { anEvent, configure, send } from "../webhooks/client.ts"

// `before`: the process is killed before the statement is done; `after`: when it is done, before it learns of that.
const cuts = ["before", "after"] as const

describe("a webhook whose process is killed at any statement [H2.1]", { timeout: 900_000 }, () => {
  const harness = makeHarness()
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let proxy: PostgresProxy
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    proxy = await startPostgresProxy(database.environment["DATABASE_URL"] ?? "")
    environment = { ...database.environment, DATABASE_URL: proxy.through(database.environment["DATABASE_URL"] ?? "") }
    server = await harness.server(environment)
    project = await aProject(server.api)
    await configure(server, project)
  })
  afterAll(async () => {
    await harness.clear()
    await proxy.close()
  })

  /** What there is of an event of a user: rows of the inbox, entries that wait, what it gave, and how often it was done. */
  const counted = async (id: string, userId: string) => {
    const [row] = await sql.rows<Record<string, number | string>>(
      project.id,
      `select count(*)::int as rows, min(status) as status,
         (select count(*)::int from outbox where topic = 'webhooks.process') as waiting,
         (select count(*)::int from outbox_dead) as dead,
         (select count(*)::int from user_entitlements where app_user_id = $2 and is_active) as entitlements,
         (select count(*)::int from engagement_events
          where app_user_id = $2 and event_name = 'subscription_initial_purchase') as events
       from webhook_inbox where provider_event_id = $1`,
      [id, userId],
    )
    return row
  }

  const isDone = { rows: 1, status: "processed", waiting: 0, dead: 0, entitlements: 1, events: 1 }

  /** The statements of the connection on which one with `marker` was prepared: enough of each to tell it from others. */
  const statementsWith = (noted: ReadonlyArray<ReadonlyArray<string>>, marker: string) => [
    ...new Set(noted.filter((all) => all.some((text) => text.includes(marker))).flat()),
  ]

  /** Sends an event as the provider does: again, until it is answered with 200. */
  const sendUntilTaken = (event: object) =>
    expect
      .poll(
        async () => {
          const { status, code } = await send(server, project, event)
          return [status, code]
        },
        { timeout: 45_000, interval: 200 },
      )
      .toEqual([200, null])

  const drain = async (worker: RunningProcess, id: string, userId: string) => {
    await expect.poll(() => counted(id, userId), { interval: 100 }).toEqual(isDone)
    await worker.end("SIGKILL")
  }

  it("is there once after the provider has sent it again, whichever statement of the intake it was", async () => {
    const read = proxy.listStatements()
    await send(server, project, anEvent())
    const texts = statementsWith(read(), "insert into webhook_inbox")
    const own = texts.filter((text) => /webhook_inbox|project_jobs|integrations/.test(text))
    expect(own.some((text) => text.includes("insert into webhook_inbox"))).toBe(true)
    const ids: Array<string> = []
    for (const where of cuts) {
      for (const marker of ["from integrations", "insert into project_jobs", "insert into webhook_inbox"]) {
        await server.end("SIGKILL")
        server = await harness.server(environment)
        const event = anEvent({ id: randomUUID() })
        ids.push(event.event.id)
        const killed = proxy.cutAt(marker, where).then(() => server.end("SIGKILL"))
        // Before it dies the process may still say that it has lost its connection, or that the event is there.
        const answered = await send(server, project, event).then(
          ({ status }) => status,
          () => 503,
        )
        expect([200, 502, 503], `${where} ${marker}`).toContain(answered)
        await killed
        server = await harness.server(environment)
        await sendUntilTaken(event)
        const [row] = await sql.rows<{ rows: number; queued: number }>(
          project.id,
          `select count(*)::int as rows, (
             select count(*)::int from outbox o where o.payload ->> 'inbox_id' = min(i.id::text)
           ) as queued from webhook_inbox i where provider_event_id = $1`,
          [event.event.id],
        )
        expect([where, marker, row]).toEqual([where, marker, { rows: 1, queued: 1 }])
      }
    }
    expect(new Set(ids).size).toBe(6)
    const worker = await harness.worker(environment)
    const waiting = () => sql.rows(project.id, "select from outbox where topic = 'webhooks.process'")
    await expect.poll(waiting).toEqual([])
    await worker.end("SIGKILL")
  })

  it("is processed once, whichever statement of the processing it was", async () => {
    const user = await aUser(server.api, project)
    // Whatever else waits is done before, so that the watched worker processes this webhook alone.
    const earlier = await harness.worker(environment)
    await expect.poll(() => sql.rows(project.id, "select from outbox")).toEqual([])
    await earlier.end("SIGKILL")
    const first = anEvent({ app_user_id: user.id })
    const read = proxy.listStatements()
    await sendUntilTaken(first)
    const watched = await harness.worker(environment)
    await drain(watched, first.event.id, user.id)
    // What the transaction that processes an entry prepares, in its order.
    const [texts = []] = read().filter((all) => all.some((text) => text.includes("insert into webhook_inbox_waits")))
    const begin = texts.findIndex((text) => text.includes("from webhook_inbox i where id"))
    const last = texts.findIndex((text, index) => index > begin && /^\s*delete from outbox/.test(text))
    const own = [...new Set(texts.slice(begin, last + 1))].map((text) => text.trim().slice(0, 400))
    expect(own.length, texts.map((text) => text.trim().slice(0, 60)).join("\n")).toBeGreaterThan(8)
    // After a statement is before the next one.
    const cases = [...own.map((marker) => ["before", marker] as const), ["after", own.at(-1) ?? ""] as const]
    for (const [where, marker] of cases) {
      const { id } = await aUser(server.api, project)
      const event = anEvent({ app_user_id: id })
      let isKilled = false
      const worker = await harness.worker(environment)
      const killed = proxy.cutAt(marker, where).then(async () => {
        isKilled = true
        await worker.end("SIGKILL")
      })
      await sendUntilTaken(event)
      await Promise.race([killed, expect.poll(() => counted(event.event.id, id)).toEqual(isDone)])
      await worker.end("SIGKILL")
      expect([where, marker, isKilled]).toEqual([where, marker, true])
      await sendUntilTaken(event)
      await drain(await harness.worker(environment), event.event.id, id)
    }
  })
})
