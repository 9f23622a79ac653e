import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { integrationConfigs } from "../harness/integrations.ts"
import type { Sql } from "../harness/sql.ts"
import { sendPaywall, signHex } from "../webhooks/paywall-client.ts"

const canary = "canary-5f2b"

/** Integrations with a canary in every secret, and what of each secret may be found nowhere. */
const plant = () => {
  const { push_a, push_b, ...others } = integrationConfigs()
  const configs = {
    subscription: { ...others.subscription, webhook_secret: `${canary} of subscriptions` },
    paywall: { ...others.paywall, webhook_secret: `${canary} of the paywall` },
    push_a,
    push_b: { service_account: { ...push_b.service_account, private_key_id: canary } },
  }
  const innerLines = (pem: string) => pem.split("\n").filter((line) => line.length > 20 && !line.startsWith("-----"))
  const keys = [...innerLines(push_a.private_key), ...innerLines(push_b.service_account.private_key)]
  return { configs, secrets: [canary, ...keys, ...keys.map((key) => key.slice(0, 24))] }
}

// One installation, whose last integration goes in the end.
describe("a canary in every secret", { shuffle: false }, () => {
  const harness = makeHarness()
  const { configs, secrets } = plant()
  const answers: Array<string> = []
  let environment: Readonly<Record<string, string>>
  let server: TestServer
  let sql: Sql
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    environment = { ...database.environment, LOG_LEVEL: "debug" }
    server = await harness.server(environment)
    project = await aProject(server.api)
    user = await aUser(server.api, project)
    for (const [provider, config] of Object.entries(configs)) await put(provider, { config })
  })
  afterAll(harness.clear)

  const call = async (method: string, path: string, body?: unknown, as = project.owner.as) => {
    const { status, text } = await server.api.call(method, `${project.admin}${path}`, as, body)
    answers.push(text)
    return status
  }
  const put = async (provider: string, body: object) => {
    expect(await call("PUT", `/integrations/${provider}`, body)).toBe(200)
  }
  const foundIn = (text: string) => secrets.filter((secret) => text.includes(secret))

  /** Every row of every table of every database, as text. */
  const dump = async () => {
    const databases = await sql.rows<{ name: string }>(
      ...(["postgres", "select datname as name from pg_database where datallowconn"] as const),
    )
    const texts: Array<string> = []
    for (const { name } of databases) {
      const tables = await sql.rows<{ table: string }>(
        name,
        `select quote_ident(table_schema) || '.' || quote_ident(table_name) as table from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      )
      for (const { table } of tables) {
        const [row] = await sql.rows<{ rows: string | null }>(
          name,
          `select string_agg(t::text, ' ') as rows from ${table} t`,
        )
        texts.push(row?.rows ?? "")
      }
    }
    return texts.join("\n")
  }

  it("is in no answer: of reads, changes, refusals, exports and webhooks [H1.2]", async () => {
    const viewer = await aDeveloper(server.api)
    await call("POST", "/members", { email: viewer.email, role: "viewer" })
    for (const as of [project.owner.as, viewer.as]) expect(await call("GET", "/integrations", undefined, as)).toBe(200)
    expect(await call("PUT", "/integrations/paywall", { config: { webhook_secret: canary } })).toBe(400)
    expect(
      await call("PUT", "/integrations/push_a", {
        config: { private_key: `${canary}\n${configs.push_a.private_key}` },
      }),
    ).toBe(400)
    const account = { ...configs.push_b.service_account, token_uri: `https://${canary}.example/token` }
    expect(await call("PUT", "/integrations/push_b", { config: { service_account: account } })).toBe(400)
    expect(await call("PUT", "/integrations/push_b", { config: { service_account: canary.repeat(9_000) } })).toBe(400)
    expect(await call("PUT", "/integrations/paywall", { is_active: canary, config: configs.paywall })).toBe(400)
    expect(await call("PUT", `/integrations/other`, { config: configs.paywall })).toBe(404)
    expect(await call("PUT", "/integrations/paywall", { config: configs.paywall }, viewer.as)).toBe(403)
    for (const path of ["", "/api-keys", "/members", `/users/${user.id}`])
      expect(await call("GET", path), path).toBe(200)
    for (const path of [`/users/${user.id}/export`, `/users/export?since=2020-01-01T00:00:00Z`]) {
      const file = await fetch(`${server.url}/v1${project.admin}${path}`, { headers: project.owner.as })
      expect(file.status, path).toBe(200)
      answers.push(await file.text())
    }
    const body = JSON.stringify({ event: "a", user_id: user.id })
    for (const headers of [signHex(body, configs.paywall.webhook_secret), signHex(body, "wrong"), {}])
      answers.push((await sendPaywall(server, project, body, headers)).text)
    expect(await call("GET", "/webhooks/inbox")).toBe(200)
    for (const path of ["/metrics", "/openapi.json", "/health/ready", "/dev/outbox", "/dev/push"])
      answers.push(await (await server.api.root(path)).text())
    expect(answers.length).toBeGreaterThan(20)
    expect(answers.flatMap(foundIn)).toEqual([])
  })

  it("is in no row of any database [H1.2]", async () => {
    const text = await dump()
    expect(text).toContain("example-app")
    expect(text).toContain("com.example.app")
    expect(text.match(/v1\.[0-9a-f]{12}\.[\w-]{38,}/g)?.length).toBe(4)
    expect(foundIn(text)).toEqual([])
    // Nor in another spelling of it.
    for (const spelled of [Buffer.from(canary).toString("base64").slice(0, 12), Buffer.from(canary).toString("hex")])
      expect(text).not.toContain(spelled)
  })

  it("is in no line of the log, also where the database fails [H1.2]", async () => {
    await sql.rows(project.id, "alter table engagement_events rename to engagement_events_away")
    const body = JSON.stringify({ event: "b", user_id: user.id, text: `${canary} of a payload` })
    const sent = await sendPaywall(server, project, body, signHex(body, configs.paywall.webhook_secret))
    expect(sent).toMatchObject({ status: 200, data: { received: true } })
    await sql.rows(project.id, "alter table engagement_events_away rename to engagement_events")
    const lost = harness.launch("server", {
      environment: { PORT: "0", ...environment, SECRETS_KEY: Buffer.alloc(32).toString("base64") },
    })
    expect(await lost.ended).toMatchObject({ code: 1 })
    const log = server.output() + server.errors() + lost.output() + lost.errors()
    expect(log).toContain("webhook_postponed")
    expect(foundIn(log)).toEqual([])
    for (const key of [environment["SECRETS_KEY"] ?? "", environment["JWT_KEYS"] ?? ""]) expect(log).not.toContain(key)
  })

  it("goes with its integration [H1.1]", async () => {
    for (const provider of Object.keys(configs)) expect(await call("DELETE", `/integrations/${provider}`)).toBe(200)
    expect((await dump()).match(/v1\.[0-9a-f]{12}\.[\w-]{38,}/g)).toBeNull()
  })
})
