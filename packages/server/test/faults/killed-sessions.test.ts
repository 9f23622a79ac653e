import { randomInt } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apiAt } from "../harness/api.ts"
import { postmasterOf } from "../harness/data-dir.ts"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { type SessionClients, startSessionClients } from "./clients/session-clients.ts"
import { waitingIn } from "./invariants.ts"

const cycles = Number(process.env["HEARTH_FAULT_CYCLES"] ?? 6)

/** Makes open sessions half an hour older, so that they have lapsed. */
const ageOpen = `
  update tracking_sessions set started_at = started_at - interval '31 minutes',
    last_seen_at = last_seen_at - interval '31 minutes', check_at = check_at - interval '31 minutes'
  where ended_at is null`

// Its tests are the steps of one story.
describe(`sessions of a service that is killed ${cycles} times`, {
  shuffle: false,
  timeout: 120_000 + cycles * 30_000,
}, () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  const api = apiAt(() => server.url)
  let server: TestServer
  let project: TestProject
  let clients: SessionClients

  const start = async () => {
    server = await harness.server({ DATA_DIR: dataDir })
  }
  const rows = <Row>(statement: string) => sql.rows<Row>(project.id, statement)

  beforeAll(async () => {
    await start()
    project = await aProject(api)
  })
  afterAll(async () => {
    await clients?.stop()
    await harness.clear()
  })

  /** Waits until something is acknowledged, then kills the service, every third time with its database. */
  const kill = async (cycle: number) => {
    const before = clients.told.started.size
    await expect.poll(() => clients.told.started.size, { interval: 5 }).toBeGreaterThan(before)
    await wait(randomInt(200))
    const database = postmasterOf(dataDir)
    if (cycle % 3 === 2 && database !== null) process.kill(database, "SIGKILL")
    await server.end("SIGKILL")
    await start()
  }

  it("keeps answering apps after every kill, and answers the same to what is repeated [H5.1]", async () => {
    clients = await startSessionClients(api, project, 3)
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await kill(cycle)
      if (cycle === Math.floor(cycles / 2)) await rows(ageOpen)
    }
    await clients.stop()
    expect(clients.told.started.size).toBeGreaterThan(cycles)
    // Those that were aged have lapsed before their end, and were ended by the background or a later call.
    expect(clients.told.unexpected).toEqual([])
  })

  it("ends all that have lapsed, also when it is killed meanwhile [H5.1]", async () => {
    await rows(ageOpen)
    await server.end("SIGKILL")
    await start()
    await wait(randomInt(300))
    await server.end("SIGKILL")
    await start()
    const left = async () => [
      (await rows("select from tracking_sessions where ended_at is null")).length,
      await waitingIn(sql, project.id),
    ]
    await expect.poll(left, { timeout: 60_000, interval: 200 }).toEqual([0, 0])
  })

  it("has every acknowledged session once, with one event of its start and one of its end [H5.1]", async () => {
    const stored = await rows<{ key: string; id: string }>(
      "select app_user_id || '/' || session_id as key, id from tracking_sessions",
    )
    const ids = new Map(stored.map(({ key, id }) => [key, id]))
    expect([...clients.told.started].filter(([key, id]) => ids.get(key) !== id)).toEqual([])
    for (const [key, text] of clients.told.ended) expect(text).toContain(ids.get(key))
    expect(
      await rows(
        `select id from tracking_sessions s where (
           select array_agg(event_name order by event_name) from engagement_events e
           where e.app_user_id = s.app_user_id and e.properties ->> 'session_id' = s.session_id
         ) is distinct from array['session_ended', 'session_started']`,
      ),
    ).toEqual([])
    expect(
      await rows(
        `select s.id from tracking_sessions s join engagement_events e
           on e.app_user_id = s.app_user_id and e.properties ->> 'session_id' = s.session_id
         where e.event_name = 'session_ended' and ((e.properties ->> 'duration_seconds')::int <> s.duration_seconds
           or s.duration_seconds <> floor(extract(epoch from s.ended_at - s.started_at)))`,
      ),
    ).toEqual([])
  })

  it("has a day of activity for every start, and no other [H5.3]", async () => {
    const active = "select app_user_id, day from user_active_days"
    const events = `select distinct app_user_id, (occurred_at at time zone 'UTC')::date from engagement_events
       where event_name = 'session_started'`
    expect(await rows(`(${active} except ${events}) union all (${events} except ${active})`)).toEqual([])
  })
})
