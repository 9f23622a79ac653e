import {
  type ApnsServer,
  apnsAnswer,
  apnsKey,
  apnsTeam,
  type FcmServer,
  fcmError,
  fcmProject,
  serviceAccountKey,
  startApnsServer,
  startFcmServer,
} from "@hearth/test-services/push"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Campaign {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly stats: object
}

/** A service as a developer starts it, and the providers' servers on loopback. */
describe("pushes of a service", () => {
  const harness = makeHarness()
  let apns: ApnsServer
  let fcm: FcmServer
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    apns = await startApnsServer()
    fcm = await startFcmServer()
    server = await harness.server({ DATA_DIR: harness.folder(), PUSH_A_URL: apns.url, PUSH_B_URL: fcm.url })
  })
  afterAll(async () => {
    await harness.clear()
    await apns.stop()
    await fcm.stop()
  })

  const aDevice = async (platform: string, token: string) => {
    const user = await aUser(server.api, project)
    await server.api.ok("POST", "/client/push/tokens", user.as, { platform, token })
    return user
  }
  const configure = async () => {
    const put = (provider: string, config: object) =>
      server.api.ok("PUT", `${project.admin}/integrations/${provider}`, project.owner.as, { is_active: true, config })
    const { privateKey: private_key } = apnsKey(apnsTeam.key_id)
    await put("push_a", { ...apnsTeam, environment: "production", private_key })
    const key = serviceAccountKey(fcmProject.client_email).privateKey
    await put("push_b", {
      service_account: { type: "service_account", ...fcmProject, private_key: key, token_uri: fcm.tokenUri },
    })
  }
  const campaigns = () => `${project.admin}/push/campaigns`
  const read = (id: string) => server.api.ok<Campaign>("GET", `${campaigns()}/${id}`, project.owner.as)
  const send = async (fields: object = {}) => {
    const body = { title: "Hello", body: "News", data: { count: 5 }, options: { sound: "ping" }, ...fields }
    const { id } = await server.api.ok<Campaign>("POST", campaigns(), project.owner.as, body)
    await server.api.ok("POST", `${campaigns()}/${id}/send`, project.owner.as)
    await expect.poll(async () => (await read(id)).status).not.toBe("sending")
    return read(id)
  }

  it("are kept at GET /dev/push without credentials, and reach the providers with them [H4.2]", async () => {
    project = await aProject(server.api)
    await aDevice("ios", "an-iphone")
    await aDevice("android", "an-android")
    expect(await send()).toMatchObject({ status: "sent", stats: { sent: 2, recipients: 2, failed: 0 } })
    const answer = await fetch(`${server.url}/dev/push`)
    const { data } = (await answer.json()) as { data: ReadonlyArray<{ token: string; payload: object }> }
    expect(new Map(data.map(({ token, payload }) => [token, payload]))).toEqual(
      new Map([
        ["an-iphone", expect.objectContaining({ data: { count: 5 } })],
        ["an-android", expect.objectContaining({ data: { count: "5" } })],
      ]),
    )
    expect([apns.calls.length, fcm.calls.length]).toEqual([0, 0])

    await configure()
    expect(await send()).toMatchObject({ status: "sent", stats: { sent: 2, recipients: 2, failed: 0 } })
    expect(apns.calls.map(({ token, payload }) => [token, payload])).toEqual([
      [
        "an-iphone",
        expect.objectContaining({
          aps: { alert: { title: "Hello", body: "News" }, sound: "ping" },
          data: { count: 5 },
        }),
      ],
    ])
    expect(fcm.calls.map(({ token, message }) => [token, message.data])).toEqual([["an-android", { count: "5" }]])
  })

  it("to devices that the providers have forgotten make these inactive [E9]", async () => {
    project = await aProject(server.api)
    await configure()
    for (let turn = 0; turn < 6; turn += 1) {
      await aDevice("ios", `iphone-${turn}`)
      await aDevice("android", `android-${turn}`)
    }
    apns.react("iphone-0", apnsAnswer(410, "Unregistered", { timestamp: Date.now() + 1_000 }))
    fcm.react("android-0", fcmError(404, "NOT_FOUND", { errorCode: "UNREGISTERED" }))
    expect(await send()).toMatchObject({ status: "sent", stats: { sent: 10, failed: 2 } })
    expect(await send()).toMatchObject({ status: "sent", stats: { sent: 10, recipients: 10, failed: 0 } })
  })

  it("fail as a campaign, with a code and nothing else, when the provider refuses the credentials", async () => {
    project = await aProject(server.api)
    await configure()
    await aDevice("ios", "some-iphone")
    apns.refuseBearers({ status: 403, reason: "InvalidProviderToken" })
    const failed = await send()
    apns.refuseBearers(null)
    expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining("InvalidProviderToken") })
  })

  it("leave no key and no token of the providers in the log", () => {
    const written = `${server.output()}${server.errors()}`
    const secrets = [apnsKey(apnsTeam.key_id).privateKey.split("\n")[1], "ya29.", "an-iphone", ...apns.bearers]
    for (const secret of secrets) expect(written).not.toContain(secret)
  })
})
