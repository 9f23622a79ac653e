import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { readInbox } from "./client.ts"
import {
  configurePaywall,
  paywallSecret,
  sendPaywall,
  signHex,
  signStandard,
  someStandardSecret,
} from "./paywall-client.ts"

const received = { status: 200, data: { received: true } }
const megabyte = 1024 * 1024

describe("webhooks of the paywall, from the outside", () => {
  const harness = makeHarness()
  let servers: readonly [TestServer, TestServer]
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    const database = await harness.database()
    const environment = { ...database.environment, LOG_LEVEL: "debug" }
    servers = [await harness.server(environment), await harness.server(environment)]
    await harness.worker({ ...environment, LOG_LEVEL: "info" })
    project = await aProject(servers[0].api)
    user = await aUser(servers[0].api, project)
    await configurePaywall(servers[0], project)
  })
  afterAll(harness.clear)

  const refused = (status: number, code: string) => ({ status, code })
  const eventsOf = async (name: string) => {
    const all = await servers[0].api.ok<ReadonlyArray<{ event_name: string; properties: object; app_user_id: string }>>(
      ...(["GET", `${project.admin}/events?since=2020-01-01T00:00:00Z&limit=1000`, project.owner.as] as const),
    )
    return all.filter(({ event_name }) => event_name === `paywall_${name}`)
  }
  const bodyOf = (event: string, more: object = {}) => JSON.stringify({ event, user_id: user.id, ...more })
  const inbox = () => readInbox(servers[0], project, "provider=paywall&limit=1000")

  it("are checked in the order of the spec: project, integration, signature, body [H3.1]", async () => {
    const [server] = servers
    const before = await inbox()
    const forged = signHex("another body")
    for (const query of ["", "project_id=", "project_id=x", "project_id=%ff", "project_id=%00"])
      expect(await sendPaywall(server, project, "x", forged, query), query).toMatchObject(
        refused(400, "MISSING_PROJECT"),
      )
    const unknown = `project_id=${randomUUID()}`
    expect(await sendPaywall(server, project, "x", forged, unknown)).toMatchObject(refused(404, "NOT_CONFIGURED"))
    const bare = await aProject(server.api)
    expect(await sendPaywall(server, bare, "x", signHex("x"))).toMatchObject(refused(404, "NOT_CONFIGURED"))
    const bodies = ["", "x", "[]", "null", '"text"', "1", "{", '{"a":1e400}', '{"a":"\\u0000"}', "\ufeff{}"]
    const deep = `${'{"a":'.repeat(33)}1${"}".repeat(33)}`
    for (const body of [...bodies, deep]) {
      expect(await sendPaywall(server, project, body, forged), body).toMatchObject(refused(401, "INVALID_SIGNATURE"))
      expect(await sendPaywall(server, project, body), body).toMatchObject(refused(400, "INVALID_BODY"))
    }
    const bytes = new Uint8Array([123, 0xff, 0xfe, 125])
    expect(await sendPaywall(server, project, bytes)).toMatchObject(refused(400, "INVALID_BODY"))
    expect(await inbox()).toEqual(before)
  })

  it("of other bytes than were signed are forged [H3.1]", async () => {
    const [server] = servers
    const body = bodyOf("forged", { price: 1 })
    const headers = signHex(body)
    const altered = [
      body.slice(0, -1),
      `${body}\n`,
      body.replace("1}", "2}"),
      JSON.stringify(JSON.parse(body), null, 1),
    ]
    const reEncoded = [body.replace("forged", "\\u0066orged"), Buffer.from(body, "utf8").toString("base64")]
    for (const text of [...altered, ...reEncoded]) {
      expect(await sendPaywall(server, project, text, headers), text).toMatchObject(refused(401, "INVALID_SIGNATURE"))
    }
    for (const wrong of [
      {},
      { "x-paywall-signature": "" },
      signHex(body, "another secret!!"),
      { authorization: `Bearer ${paywallSecret}` },
    ])
      expect(await sendPaywall(server, project, body, wrong)).toMatchObject(refused(401, "INVALID_SIGNATURE"))
    expect(await eventsOf("forged")).toEqual([])
  })

  it("become an event of the user at once, whatever the content type [H3.1]", async () => {
    const [server] = servers
    const body = bodyOf("purchase", { product: "pro", price: 9.99, unknown: { deep: [1, null] } })
    for (const type of ["text/plain", "application/json", "application/octet-stream"]) {
      expect(
        await sendPaywall(server, project, `${body}${" ".repeat(type.length)}`, {
          ...signHex(`${body}${" ".repeat(type.length)}`),
          "content-type": type,
        }),
      ).toMatchObject(received)
    }
    const events = await eventsOf("purchase")
    expect(events).toHaveLength(3)
    for (const event of events) expect(event).toMatchObject({ app_user_id: user.id, properties: JSON.parse(body) })
  })

  it("may have 1 MB, and all of it is kept; more is 413 [A9]", async () => {
    const [server] = servers
    const body = (bytes: number) => {
      const start = bodyOf("large", { blob: "" })
      return start.replace('"blob":""', `"blob":"${"x".repeat(bytes - start.length)}"`)
    }
    const most = body(megabyte)
    expect(most).toHaveLength(megabyte)
    expect(await sendPaywall(server, project, most)).toMatchObject(received)
    const [event] = await eventsOf("large")
    expect(JSON.stringify(event?.properties)).toHaveLength(megabyte)
    expect(await sendPaywall(server, project, body(megabyte + 1))).toMatchObject(refused(413, "PAYLOAD_TOO_LARGE"))
    const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))
    expect(await sendPaywall(server, project, bodyOf("keys", keys))).toMatchObject(received)
    expect(await sendPaywall(server, project, bodyOf("🦊".repeat(200_000)))).toMatchObject(received)
    expect(await eventsOf("🦊".repeat(123))).toHaveLength(1)
  })

  it("write nothing for a user of another project, or nobody [H3.1]", async () => {
    const [server] = servers
    const other = await aUser(server.api, await aProject(server.api))
    const before = (await inbox()).length
    for (const user_id of [other.id, randomUUID(), "' or 1=1 --", "x".repeat(100_000), 1, null])
      expect(await sendPaywall(server, project, JSON.stringify({ event: "stranger", user_id }))).toMatchObject(received)
    expect(await sendPaywall(server, project, "{}")).toMatchObject(received)
    expect(await eventsOf("stranger")).toEqual([])
    const rows = (await inbox()).slice(0, (await inbox()).length - before)
    expect(rows.map(({ status }) => status)).toEqual([
      ...["ignored", "ignored", "ignored", "unresolved", "unresolved", "unresolved", "unresolved"],
    ])
  })

  it("are written once, also when they come at once to two servers [E8]", async () => {
    for (const [name, more] of [
      ["same-body", {}],
      ["same-id", { data: { id: "event-1" } }],
    ] as const) {
      const body = bodyOf(name, more)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => sendPaywall(servers[n % 2 === 0 ? 0 : 1], project, body)),
      )
      for (const answer of answers) expect(answer).toMatchObject(received)
      expect(await eventsOf(name)).toHaveLength(1)
    }
  })

  it("are signed by Standard Webhooks where the integration says so, and then by nothing else [E8]", async () => {
    const [server, second] = servers
    const other = await aProject(server.api)
    const member = await aUser(server.api, other)
    const secret = someStandardSecret()
    const config = { webhook_secret: secret, signature_scheme: "standard" }
    await server.api.ok("PUT", `${other.admin}/integrations/paywall`, other.owner.as, { config })
    const body = JSON.stringify({ type: "renewal", data: { id: "e1", originalAppUserId: member.id } })
    for (const family of ["webhook", "svix"]) {
      const headers = signStandard(body, secret, `msg-${family}`, Date.now(), family)
      expect(await sendPaywall(server, other, body, headers)).toMatchObject(received)
      expect(await sendPaywall(second, other, body, headers)).toMatchObject(received)
    }
    for (const at of [Date.now() - 302_000, Date.now() + 302_000]) {
      const late = signStandard(body, secret, "msg-late", at)
      expect(await sendPaywall(server, other, body, late)).toMatchObject(refused(401, "INVALID_SIGNATURE"))
    }
    expect(await sendPaywall(server, other, body, signHex(body, secret))).toMatchObject(
      refused(401, "INVALID_SIGNATURE"),
    )
    const headers = signStandard(bodyOf("x"), secret, "msg-x")
    expect(await sendPaywall(server, project, bodyOf("x"), headers)).toMatchObject(refused(401, "INVALID_SIGNATURE"))
    const rows = await readInbox(server, other)
    expect(rows.map(({ provider_event_id, status }) => [provider_event_id, status])).toEqual([
      ["msg-svix", "processed"],
      ["msg-webhook", "processed"],
    ])
  })

  it("are processed when their user appears, and not twice by replay [H3.1]", async () => {
    const [server, second] = servers
    expect(await sendPaywall(server, project, bodyOf("prompt"))).toMatchObject(received)
    const body = JSON.stringify({ event: "late", user_id: "customer-77" })
    expect(await sendPaywall(server, project, body)).toMatchObject(received)
    await second.api.ok("PATCH", `${project.admin}/users/${user.id}`, project.owner.as, { external_id: "customer-77" })
    await expect.poll(async () => (await eventsOf("late")).length, { timeout: 40_000, interval: 250 }).toBe(1)
    const row = (await inbox()).find(({ status, app_user_id }) => status === "processed" && app_user_id === user.id)
    for (const { id } of await inbox()) {
      await server.api.ok("POST", `${project.admin}/webhooks/inbox/${id}/replay`, project.owner.as)
    }
    expect(row).toBeDefined()
    for (const name of ["late", "prompt"]) expect(await eventsOf(name), name).toHaveLength(1)
  })
})
