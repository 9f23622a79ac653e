import { randomUUID } from "node:crypto"
import { type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { type FcmServer, fcmProject, serviceAccountKey, startFcmServer } from "@hearth/test-services/push"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { databaseOf, type Sql } from "../harness/sql.ts"

// Every message that a worker sends to the project's database while it sends a campaign is a step. In CI some of them are tried,
// with HEARTH_FAULT_STEPS=1 all.
const stride = Number(process.env["HEARTH_FAULT_STEPS"] ?? 12)
const firstStep = 1 + Math.floor(Math.random() * stride)
const mostSteps = 400

const users = 2
const devicesEach = 2

interface Campaign {
  readonly project: TestProject
  readonly id: string
}

interface Row {
  readonly id: string
  readonly status: string
}

// Its tests are the steps of one story.
describe(`campaigns whose worker is killed at every ${stride}. step`, { shuffle: false, timeout: 1_800_000 }, () => {
  const harness = makeHarness()
  const killed: Array<Campaign> = []
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let server: TestServer
  let proxy: PostgresProxy
  let provider: FcmServer

  beforeAll(async () => {
    provider = await startFcmServer()
    const database = await harness.database()
    sql = database.sql
    environment = { ...database.environment, PUSH_B_URL: provider.url }
    proxy = await startPostgresProxy(environment["DATABASE_URL"] ?? "")
    server = await harness.server(environment)
  })
  afterAll(async () => {
    await proxy.close()
    await provider.stop()
    await harness.clear()
  })

  /** A campaign that is to be sent, in a project of its own. */
  const aCampaign = async (): Promise<Campaign> => {
    const project = await aProject(server.api)
    const service_account = {
      ...{ type: "service_account", ...fcmProject, token_uri: provider.tokenUri },
      private_key: serviceAccountKey(fcmProject.client_email).privateKey,
    }
    await server.api.ok("PUT", `${project.admin}/integrations/push_b`, project.owner.as, {
      ...{ is_active: true, config: { service_account } },
    })
    for (let user = 0; user < users; user += 1) {
      const { as } = await aUser(server.api, project)
      for (let device = 0; device < devicesEach; device += 1)
        await server.api.ok("POST", "/client/push/tokens", as, { token: randomUUID(), platform: "android" })
    }
    const id = randomUUID()
    await sql.rows(
      project.id,
      `insert into push_campaigns (id, name, title, body, data, options, delivery_mode, status, created_at, updated_at)
       values ($1, 'Sale', 'Sale!', 'Cheap, {{display_name}}', '{}', '{}', 'absolute', 'sending', now(), now())`,
      [id],
    )
    return { project, id }
  }
  const worker = () =>
    harness.worker({ ...environment, DATABASE_URL: proxy.through(environment["DATABASE_URL"] ?? "") })
  const statusOf = async ({ project, id }: Campaign) =>
    (await sql.rows<Row>(project.id, "select status from push_campaigns where id = $1", [id]))[0]?.status
  const isSent = async (campaign: Campaign) => {
    await expect.poll(() => statusOf(campaign), { timeout: 60_000, interval: 50 }).toBe("sent")
    return "sent" as const
  }

  it("goes on after each", async () => {
    for (let step = firstStep; step < mostSteps; step += stride) {
      const campaign = await aCampaign()
      const hold = proxy.holdAt(databaseOf(campaign.project.id), step)
      const running = await worker()
      const outcome = await Promise.race([hold.reached, isSent(campaign)])
      await running.end("SIGKILL")
      hold.release()
      killed.push(campaign)
      if (outcome === "sent") return
    }
    throw new Error("A campaign never ends.")
  })

  it("goes on after it was killed while the provider has a push, and has not answered", async () => {
    const campaign = await aCampaign()
    const tokens = await sql.rows<{ token: string }>(campaign.project.id, "select token from push_tokens")
    for (const { token } of tokens.slice(0, 2)) provider.react(token, () => {})
    const running = await worker()
    await expect
      .poll(() => provider.calls.filter((call) => tokens.some(({ token }) => token === call.token)).length, {
        timeout: 60_000,
      })
      .toBe(tokens.length)
    await running.end("SIGKILL")
    killed.push(campaign)
  })

  it("ends every campaign, each device asked for at most once, and what nobody knows is unknown [E9]", async () => {
    // As if two minutes had passed.
    const age = "update push_deliveries set claimed_at = claimed_at - interval '3 minutes' where status = 'claimed'"
    for (const { project } of killed) await sql.rows(project.id, age)
    const last = await worker()
    for (const campaign of killed)
      await expect.poll(() => statusOf(campaign), { timeout: 120_000, interval: 100 }).toBe("sent")
    await last.end("SIGTERM")
    for (const { project, id } of killed) {
      const rows = await sql.rows<Row>(project.id, "select id, status from push_deliveries where campaign_id = $1", [
        id,
      ])
      expect(rows).toHaveLength(users * devicesEach)
      const calls = rows.map((row) => [row.status, provider.countCalls(row.id)] as const)
      expect(
        calls.filter(([status, count]) => (status === "sent" ? count !== 1 : status !== "unknown" || count > 1)),
      ).toEqual([])
      const [counted] = await sql.rows<Record<string, number>>(
        project.id,
        `select sent, unknown, failed, recipients, (select count(*)::int from engagement_events where event_name = 'push_sent') as events
         from push_campaign_stats where campaign_id = $1`,
        [id],
      )
      const sent = rows.filter(({ status }) => status === "sent").length
      expect(counted).toEqual({ sent, unknown: rows.length - sent, failed: 0, recipients: users, events: sent })
    }
    expect(killed.length).toBeGreaterThan(2)
  })
})
