import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { integrationConfigs } from "../harness/integrations.ts"
import { sendPaywall, signHex } from "../webhooks/paywall-client.ts"

const configs = integrationConfigs()

describe("integrations, from the outside", () => {
  const harness = makeHarness()
  let servers: readonly [TestServer, TestServer]
  let project: TestProject

  beforeAll(async () => {
    const { environment } = await harness.database()
    servers = [await harness.server(environment), await harness.server(environment)]
    project = await aProject(servers[0].api)
  })
  afterAll(harness.clear)

  interface Answered {
    readonly details?: { readonly issues: ReadonlyArray<{ readonly path: string }> }
  }
  const call = async (method: string, path: string, body?: unknown, as = project.owner.as, at: 0 | 1 = 0) => {
    const answer = await servers[at].api.call<object>(method, `${project.admin}/integrations${path}`, as, body)
    const { details }: Answered = JSON.parse(answer.text).error ?? {}
    return { ...answer, paths: details?.issues.map(({ path: where }) => where) }
  }

  it("answer the codes of the table [H1.1, A5, A7, A8]", async () => {
    const { data } = await call("GET", "")
    for (const provider of ["other", "PAYWALL", "push", "push_c", "%20", randomUUID()]) {
      expect(await call("PUT", `/${provider}`, {}), provider).toMatchObject({ status: 404, code: "NOT_FOUND" })
      expect(await call("DELETE", `/${provider}`), provider).toMatchObject({ status: 404, code: "NOT_FOUND" })
    }
    const invalid = (...paths: ReadonlyArray<string>) => ({ status: 400, code: "INVALID_INPUT", paths })
    expect(await call("PUT", "/paywall", { is_active: "yes" })).toMatchObject(invalid("is_active"))
    expect(await call("PUT", "/paywall", { is_active: null })).toMatchObject(invalid("is_active"))
    for (const config of [null, "x", 1, []])
      expect(await call("PUT", "/paywall", { config })).toMatchObject(invalid("config"))
    for (const body of [[], "x", null])
      expect(await call("PUT", "/paywall", body)).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    const wrong = { webhook_secret: "short", signature_scheme: "md5" }
    const { paths } = await call("PUT", "/paywall", { config: wrong })
    expect(paths).toEqual(["config.webhook_secret", "config.signature_scheme"])
    expect(await call("GET", "")).toMatchObject({ status: 200, data })
    expect(await call("GET", "?limit=0")).toMatchObject({ status: 400, code: "INVALID_LIMIT" })
    expect(await call("GET", "?offset=-1")).toMatchObject({ status: 400, code: "INVALID_OFFSET" })
    for (let times = 0; times < 2; times += 1)
      expect(await call("DELETE", "/paywall")).toMatchObject({ status: 200, data: { deleted: true } })
    expect(await call("PATCH", "/paywall", {})).toMatchObject({ status: 405, code: "METHOD_NOT_ALLOWED" })
  })

  it("are changed by admins and owners, and read by viewers [B3]", async () => {
    const role = async (name: "admin" | "viewer") => {
      const developer = await aDeveloper(servers[0].api)
      await servers[0].api.ok("POST", `${project.admin}/members`, project.owner.as, {
        email: developer.email,
        role: name,
      })
      return developer.as
    }
    const [admin, viewer, stranger] = [await role("admin"), await role("viewer"), (await aDeveloper(servers[0].api)).as]
    const statuses = async (method: string, path: string, body?: unknown) => {
      const answers: Array<number> = []
      for (const as of [project.owner.as, admin, viewer, stranger])
        answers.push((await call(method, path, body, as)).status)
      return answers
    }
    expect(await statuses("PUT", "/paywall", { config: configs.paywall })).toEqual([200, 200, 403, 403])
    expect(await statuses("GET", "")).toEqual([200, 200, 200, 403])
    expect(await statuses("DELETE", "/paywall")).toEqual([200, 200, 403, 403])
  })

  it("are merged when changed at once on two servers: no change is lost", async () => {
    for (let round = 0; round < 10; round += 1) {
      await call("DELETE", "/push_a")
      const parts = Object.entries(configs.push_a).map(([name, value]) => ({ config: { [name]: value } }))
      const answers = await Promise.all(
        [...parts, { is_active: false }].map((body, n) =>
          call("PUT", "/push_a", body, project.owner.as, n % 2 === 0 ? 0 : 1),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const { private_key: _, ...config } = configs.push_a
      const { data } = await call("GET", "")
      expect(data).toMatchObject([{ provider: "push_a", is_active: false, has_secret: true, config }])
    }
  })

  it("hold at once where they were changed, and within a second elsewhere [B1]", async () => {
    const body = JSON.stringify({ event: "a" })
    const secrets = ["the first paywall secret", "the second paywall secret"] as const
    const statusAt = async (at: 0 | 1, secret: string) =>
      (await sendPaywall(servers[at], project, body, signHex(body, secret))).status
    await call("PUT", "/paywall", { config: { webhook_secret: secrets[0] } })
    expect([await statusAt(0, secrets[0]), await statusAt(1, secrets[0])]).toEqual([200, 200])
    await call("PUT", "/paywall", { config: { webhook_secret: secrets[1] } })
    expect([await statusAt(0, secrets[0]), await statusAt(0, secrets[1])]).toEqual([401, 200])
    await expect.poll(() => statusAt(1, secrets[0]), { timeout: 3_000, interval: 50 }).toBe(401)
    expect(await statusAt(1, secrets[1])).toBe(200)
    await call("PUT", "/paywall", { is_active: false })
    expect(await statusAt(0, secrets[1])).toBe(404)
    await expect.poll(() => statusAt(1, secrets[1]), { timeout: 3_000, interval: 50 }).toBe(404)
  })
})
