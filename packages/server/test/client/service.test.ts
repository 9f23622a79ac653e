import { createAdminClient, createClient, type HearthClient, type HearthStorage, memoryStorage } from "@hearth/client"
import { issue, openKeyServer, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const google = signingKey("google")
const [iss, aud] = ["https://google.test", "web.example.app"]
const harness = makeHarness()
let keys: Awaited<ReturnType<typeof openKeyServer>>
let server: TestServer
let project: TestProject
const open: Array<HearthClient> = []

/** What has left the client, and how often an answer of a route is lost. */
const watch = () => {
  const sent: Array<string> = []
  const losing = new Map<string, number>()
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const call = `${request.method} ${new URL(request.url).pathname.replace("/v1", "")}`
    sent.push(call)
    const response = await fetch(request)
    const left = losing.get(call) ?? 0
    losing.set(call, left - 1)
    if (left > 0) throw new TypeError("fetch failed")
    return response
  }
  return { sent, losing, fetch: watched }
}

const aClient = (options: Partial<Parameters<typeof createClient>[0]> = {}): HearthClient => {
  const client = createClient({ url: server.url, apiKey: project.clientKey, storage: memoryStorage(), ...options })
  open.push(client)
  return client
}
/** Has the service refuse the token that is stored; the refresh token stays good. */
const spoilToken = (storage: HearthStorage) => {
  const key = `hearth.${project.clientKey}.session`
  const session = JSON.parse(String(storage.getItem(key)))
  storage.setItem(key, JSON.stringify({ ...session, accessToken: "not.a.token" }))
}
const eventsOf = async (userId: string) => {
  const path = `${project.admin}/users/${userId}/events?limit=500`
  return server.api.ok<ReadonlyArray<{ event_name: string; occurred_at: string }>>("GET", path, project.owner.as)
}

beforeAll(async () => {
  keys = await openKeyServer(publishKeys([google.jwk]))
  const provider = { IDP_B_ISSUERS: iss, IDP_B_JWKS_URL: keys.jwksUrl }
  server = await harness.server({ DATA_DIR: harness.folder(), ...provider })
  project = await aProject(server.api)
  await server.api.ok("PATCH", project.admin, project.owner.as, { oauth_client_id: aud })
})
afterAll(async () => {
  await harness.clear()
  await keys.close()
})
afterEach(() => {
  for (const client of open.splice(0)) client.close()
})

describe("the client's session at the service", () => {
  it("is refreshed once for many calls of several tabs, again and again", async () => {
    const storage = memoryStorage()
    const { userId } = await aClient({ storage }).signInAnonymously()
    for (let round = 0; round < 3; round++) {
      spoilToken(storage)
      const { sent, fetch } = watch()
      const tabs = [aClient({ storage, fetch }), aClient({ storage, fetch })]
      const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => tabs[at % 2]?.me()))
      expect(new Set(answers.map((profile) => profile?.id))).toEqual(new Set([userId]))
      expect(sent.filter((call) => call === "POST /client/auth/refresh")).toHaveLength(1)
    }
  })

  it("ends where it is ended from another device, and tells so", async () => {
    const account = { email: "two@example.com", password: "correct horse battery" }
    const onSignedOut = vi.fn()
    const phone = aClient({ onSignedOut })
    await phone.signUpWithEmail(account)
    const tablet = aClient()
    await tablet.signInWithEmail(account)
    const { data: sessions } = await tablet.api.GET("/client/auth/sessions")
    const { id = "" } = sessions.find(({ is_current }) => !is_current) ?? {}
    await tablet.api.DELETE("/client/auth/sessions/{id}", { params: { path: { id } } })
    await expect(phone.me()).rejects.toMatchObject({ status: 401, code: "INVALID_TOKEN" })
    expect(onSignedOut.mock.calls).toEqual([["refused"]])
  })

  it("is upgraded by email and by magic link, and is the only one of the device", async () => {
    const hearth = aClient()
    const { userId } = await hearth.signInAnonymously()
    const account = { email: "up@example.com", password: "correct horse battery" }
    expect(await hearth.signUpWithEmail(account)).toEqual({ userId })
    await hearth.requestMagicLink(account.email)
    const outbox = (await (await server.api.root("/dev/outbox")).json()) as { data: ReadonlyArray<{ text: string }> }
    const token = /token=([\w-]+)/.exec(outbox.data[0]?.text ?? "")?.[1] ?? ""
    expect(await hearth.signInWithMagicLink(token)).toEqual({ userId })
    expect((await hearth.me()).email).toBe(account.email)
    await expect
      .poll(async () => (await hearth.api.GET("/client/auth/sessions")).data.map(({ is_current }) => is_current))
      .toEqual([true])
    await expect(hearth.signInWithEmail({ ...account, password: "wrong" })).rejects.toMatchObject({
      code: "INVALID_CREDENTIALS",
    })
    await hearth.signOut()
    await expect(hearth.me()).rejects.toMatchObject({ status: 401, code: "UNAUTHORIZED" })
  })
})

describe("an identity at the service", () => {
  const tokenOf = (sub: string, nonce?: string) => {
    const iat = Math.floor(Date.now() / 1000)
    return issue(google, { iss, aud, sub, iat, exp: iat + 600, ...(nonce !== undefined && { nonce }) })
  }

  it("upgrades an anonymous user, and finds them on another device", async () => {
    const { userId } = await aClient().signInAnonymously()
    const hearth = aClient()
    const mine = await hearth.signInAnonymously()
    expect(mine.userId).not.toBe(userId)
    const nonce = crypto.randomUUID()
    const token = tokenOf("ann", nonce)
    expect(await hearth.signInWithSocial({ provider: "idp_b", token, nonce })).toEqual(mine)
    expect((await hearth.me()).id).toBe(mine.userId)
    expect(await aClient().signInWithSocial({ provider: "idp_b", token: tokenOf("ann") })).toEqual(mine)
  })

  it("is linked to who is signed in, once, and is refused where it is forged", async () => {
    const hearth = aClient()
    const mine = await hearth.signInAnonymously()
    expect(await hearth.linkSocial({ provider: "idp_b", token: tokenOf("bob") })).toEqual(mine)
    const other = aClient()
    const theirs = await other.signInAnonymously()
    const refused = other.linkSocial({ provider: "idp_b", token: tokenOf("bob") })
    await expect(refused).rejects.toMatchObject({ status: 409, code: "IDENTITY_ALREADY_LINKED" })
    const forged = issue({ ...signingKey("mallory"), kid: google.kid }, { iss, aud, sub: "bob", iat: 0, exp: 2 ** 31 })
    await expect(other.signInWithSocial({ provider: "idp_b", token: forged })).rejects.toMatchObject({ status: 401 })
    expect(await other.session()).toEqual(theirs)
  })
})

describe("the client's events at the service", () => {
  it("arrive once, whatever is lost, and without those that apps may not write", async () => {
    const { fetch, losing, sent } = watch()
    const onError = vi.fn()
    const hearth = aClient({ fetch, onError })
    const { userId } = await hearth.signInAnonymously()
    const names = Array.from({ length: 150 }, (_, at) => `lesson_${at}`)
    for (const name of names) hearth.track(name)
    hearth.track("xp_awarded", { amount: 1_000_000 })
    losing.set("POST /client/events", 1)
    await expect(hearth.flush()).rejects.toMatchObject({ code: "NETWORK_ERROR" })
    await hearth.flush()
    const found = (await eventsOf(userId)).map(({ event_name }) => event_name)
    expect(found.sort()).toEqual(names.sort())
    expect(onError.mock.calls.map(([{ code }, event]) => [code, event.event_name])).toEqual([
      ["INVALID_EVENT_NAME", "xp_awarded"],
    ])
    expect(sent.filter((call) => call === "POST /client/events").length).toBeLessThan(6)
  })

  it("have the right time, though the clock of the device is three days ahead", async () => {
    const hearth = aClient()
    const begun = Date.now()
    vi.useFakeTimers({ now: begun + 3 * 86_400_000, toFake: ["Date"] })
    try {
      hearth.track("before_any_answer")
      const { userId } = await hearth.signInAnonymously()
      hearth.track("after_it")
      await hearth.flush()
      vi.useRealTimers()
      const events = await eventsOf(userId)
      expect(events.map(({ event_name }) => event_name).sort()).toEqual(["after_it", "before_any_answer"])
      for (const { occurred_at } of events) expect(Math.abs(Date.parse(occurred_at) - begun)).toBeLessThan(60_000)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe("a developer's client at the service", () => {
  it("signs in, and reads and writes what the account may", async () => {
    const { email, password } = project.owner
    const admin = createAdminClient({ url: `${server.url}/v1/`, credentials: { email, password } })
    const path = { projectId: project.id }
    const [{ data }, { data: rules }] = await Promise.all([
      admin.api.GET("/admin/projects/{projectId}", { params: { path } }),
      admin.api.PUT("/admin/projects/{projectId}/xp/rules", {
        params: { path },
        body: { rules: [{ event_name: "lesson_completed", amount: 10, daily_cap: null }] },
      }),
    ])
    expect([data.id, rules.rules[0]?.amount]).toEqual([project.id, 10])
    const stream = await admin.api.GET("/admin/projects/{projectId}/users/export", {
      params: { path, query: { format: "ndjson" } },
      parseAs: "stream",
    })
    expect(stream).toBeInstanceOf(ReadableStream)
    await stream?.cancel()
    await expect(
      admin.api.GET("/admin/projects/{projectId}/users/{userId}", {
        params: { path: { ...path, userId: project.id } },
      }),
    ).rejects.toMatchObject({ status: 404, code: "NOT_FOUND", requestId: expect.any(String) })
  })

  it("is refused with wrong credentials, and with a token of nobody", async () => {
    const credentials = { email: project.owner.email, password: "not the password" }
    await expect(createAdminClient({ url: server.url, credentials }).api.GET("/admin/projects")).rejects.toMatchObject({
      code: "INVALID_CREDENTIALS",
    })
    await expect(createAdminClient({ url: server.url, token: "x" }).api.GET("/admin/projects")).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    })
  })
})
