import { randomInt } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apiAt } from "../harness/api.ts"
import { postmasterOf } from "../harness/data-dir.ts"
import { aProject, aStreak, aUser, noonZone, streaksOf, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { type Clients, eventName, startClients } from "./clients/ingest-clients.ts"
import { expectEveryEventOnce, expectStreaksOfTheLog, waitingIn } from "./invariants.ts"
import type { ModelRules } from "./streak-model.ts"

const cycles = Number(process.env["HEARTH_FAULT_CYCLES"] ?? 20)

const streaks: ReadonlyArray<ModelRules> = [
  { period: "daily", max_freezes: 0, freezes_per_n_events: null },
  { period: "weekly", max_freezes: 0, freezes_per_n_events: null },
  { period: "daily", max_freezes: 2, freezes_per_n_events: null },
  { period: "daily", max_freezes: 3, freezes_per_n_events: 4 },
]

// Its tests are the steps of one story.
describe(`a service that is killed ${cycles} times while events arrive`, {
  shuffle: false,
  timeout: 120_000 + cycles * 30_000,
}, () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  const zone = noonZone()
  const api = apiAt(() => server.url)
  const definitions = new Map<string, ModelRules>()
  let server: TestServer
  let project: TestProject
  let untouched: { readonly project: TestProject; readonly userId: string }
  let clients: Clients

  const start = async () => {
    server = await harness.server({ DATA_DIR: dataDir })
  }

  beforeAll(async () => {
    await start()
    project = await aProject(api)
    for (const rules of streaks) {
      const freezes = { freeze_enabled: rules.max_freezes > 0, max_freezes: rules.max_freezes }
      definitions.set(await aStreak(api, project, { ...rules, ...freezes, qualifying_event: eventName }), rules)
    }
    const other = await aProject(api)
    await aStreak(api, other)
    const user = await aUser(api, other)
    await api.ok("POST", "/client/events", user.as, { event_name: eventName })
    untouched = { project: other, userId: user.id }
  })
  afterAll(async () => {
    await clients?.stop()
    await harness.clear()
  })

  const killDatabase = () => {
    const pid = postmasterOf(dataDir)
    if (pid !== null) process.kill(pid, "SIGKILL")
  }

  /** Waits until the service acknowledges something, then kills the service, the service and its database, or the database. */
  const kill = async (cycle: number) => {
    const { acknowledged } = clients.sent
    const before = acknowledged.size
    const answers = () => (acknowledged.size > before ? "answers" : server.errors().slice(-2_000))
    await expect.poll(answers, { interval: 5 }).toBe("answers")
    await wait(randomInt(200))
    if (cycle % 5 >= 3) killDatabase()
    if (cycle % 5 === 4) return void (await server.says(/was started again/))
    await server.end("SIGKILL")
    await start()
  }

  it("keeps taking events after every kill", async () => {
    clients = startClients(api, project, zone.name, 2)
    for (let cycle = 0; cycle < cycles; cycle += 1) await kill(cycle)
    await clients.stop()
    expect(clients.sent.acknowledged.size).toBeGreaterThan(cycles)
    expect(clients.sent.batches.length).toBeGreaterThan(cycles)
  })

  it("handles all of them after the last start", async () => {
    await server.end("SIGKILL")
    await start()
    await expect.poll(() => waitingIn(sql, project.id), { interval: 50 }).toBe(0)
  })

  it("has every acknowledged event once, and none that was never sent", async () => {
    await expectEveryEventOnce(sql, project.id, clients.sent)
  })

  it("has the streaks that follow from the log", async () => {
    await expect
      .poll(() => expectStreaksOfTheLog(sql, project.id, definitions, zone.hours, clients.sent))
      .toBeUndefined()
  })

  it("has not touched another project", async () => {
    const { project: other, userId } = untouched
    expect(await streaksOf(api, other, userId)).toMatchObject([{ current_count: 1, longest_count: 1 }])
    const [log] = await sql.rows(other.id, "select count(*)::int as events from engagement_events")
    expect(log).toEqual({ events: 1 })
  })
})
