import { randomUUID } from "node:crypto"
import { issue, openKeyServer, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { type MailServer, startMailServer, urlOf } from "@hearth/test-services/mail-server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface SignedIn {
  readonly session_token: string
  readonly refresh_token: string
  readonly user: { readonly id: string }
}

const google = signingKey("google")
const issuer = "https://google.test"
const audience = "web.example.app"

const identityToken = (sub: string) => {
  const now = Math.floor(Date.now() / 1000)
  return issue(google, { iss: issuer, aud: audience, sub, iat: now, exp: now + 600 })
}

describe("races for one account over two servers", { timeout: 60_000 }, () => {
  const harness = makeHarness()
  let servers: ReadonlyArray<TestServer>
  let project: TestProject
  let closeKeys = async () => {}
  let mails: MailServer

  beforeAll(async () => {
    const keys = await openKeyServer(publishKeys([google.jwk]))
    closeKeys = keys.close
    const { environment } = await harness.database()
    mails = await startMailServer()
    const provider = { IDP_B_ISSUERS: issuer, IDP_B_JWKS_URL: keys.jwksUrl }
    const settings = { ...environment, ...provider, SMTP_URL: urlOf(mails, "smtp") }
    servers = await Promise.all([harness.server(settings), harness.server(settings)])
    const [first] = servers
    if (first === undefined) throw new Error("There is no server.")
    project = await aProject(first.api)
    await first.api.ok("PATCH", project.admin, project.owner.as, { oauth_client_id: audience })
  }, 60_000)
  afterAll(async () => {
    await harness.clear()
    await closeKeys()
    await mails.stop()
  })

  /** Makes the same call many times at once, alternating between both servers. */
  const atOnce = <Data>(times: number, path: string, body: unknown): Promise<ReadonlyArray<Answer<Data>>> =>
    Promise.all(
      Array.from({ length: times }, (_, index) => {
        const server = servers[index % servers.length]
        if (server === undefined) throw new Error("There is no server.")
        return server.api.call<Data>("POST", path, project.app, body)
      }),
    )
  const statuses = (answers: ReadonlyArray<Answer<unknown>>) =>
    Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([key, of]) => [key, of.length]))
  const one = async <Data>(path: string, body?: unknown): Promise<Data> => {
    const [answer] = await atOnce<Data>(1, path, body)
    if (answer === undefined || answer.status >= 300) throw new Error(answer?.text)
    return answer.data
  }

  it("lets exactly one of 20 refreshes of one token succeed, whose new token works", async () => {
    const { refresh_token } = await one<SignedIn>("/client/auth/anonymous")
    const answers = await atOnce<SignedIn>(20, "/client/auth/refresh", { refresh_token })
    expect(statuses(answers)).toEqual({ 200: 1, 401: 19 })
    const winner = answers.find(({ status }) => status === 200)
    // Within ten seconds the others count as a race, not as theft [B6].
    await one("/client/auth/refresh", { refresh_token: winner?.data.refresh_token })
  })

  it("makes one user of parallel sign-ups with one email", async () => {
    const account = { email: `${randomUUID()}@example.com`, password: "correct horse" }
    const answers = await atOnce<SignedIn>(6, "/client/auth/email/signup", account)
    expect(statuses(answers)).toEqual({ 201: 1, 409: 5 })
    const { user } = await one<SignedIn>("/client/auth/email/login", account)
    expect(user.id).toBe(answers.find(({ status }) => status === 201)?.data.user.id)
  })

  it("makes one user of parallel sign-ins with one new identity", async () => {
    const body = { provider: "idp_b", token: identityToken(randomUUID()) }
    const answers = await atOnce<SignedIn>(10, "/client/auth/social", body)
    expect(statuses(answers)).toEqual({ 200: 10 })
    expect(new Set(answers.map(({ data }) => data.user.id)).size).toBe(1)
  })

  it("gives an identity that two users link at once to one of them", async () => {
    const users = [await one<SignedIn>("/client/auth/anonymous"), await one<SignedIn>("/client/auth/anonymous")]
    const token = identityToken(randomUUID())
    const linked = await Promise.all(
      users.map(({ session_token }) =>
        atOnce<SignedIn>(1, "/client/auth/link", { provider: "idp_b", token, session_token }),
      ),
    )
    expect(statuses(linked.flat())).toEqual({ 200: 1, 409: 1 })
    expect(linked.flat().find(({ status }) => status === 409)?.code).toBe("IDENTITY_ALREADY_LINKED")
  })

  it("lets exactly one of 20 uses of one magic link in, and makes one user", async () => {
    const email = `${randomUUID()}@example.com`
    expect(await one("/client/auth/magic-link/request", { email })).toEqual({ ok: true })
    await expect.poll(() => mails.arrived.flatMap(({ recipients }) => recipients)).toContain(email)
    const [mail] = mails.arrived
    const token = /token=([\w-]{43})/.exec(mail?.text ?? "")?.[1]
    const answers = await atOnce<SignedIn>(20, "/client/auth/magic-link/verify", { token })
    expect(statuses(answers)).toEqual({ 200: 1, 401: 19 })
    const [again] = await atOnce(1, "/client/auth/magic-link/verify", { token })
    expect(again?.code).toBe("INVALID_TOKEN")
  })

  it("refuses a token of one kind where another kind is needed", async () => {
    const { session_token, refresh_token } = await one<SignedIn>("/client/auth/anonymous")
    const [server] = servers
    const me = (authorization: string) =>
      server?.api.call("GET", "/client/users/me", { ...project.app, authorization: `Bearer ${authorization}` })
    const developer = (project.owner.as["authorization"] ?? "").replace("Bearer ", "")
    expect([(await me(session_token))?.status, (await me(refresh_token))?.code, (await me(developer))?.code]).toEqual([
      200,
      "INVALID_TOKEN",
      "INVALID_TOKEN",
    ])
    const refreshed = await atOnce(1, "/client/auth/refresh", { refresh_token: session_token })
    const asDeveloper = await server?.api.call("GET", project.admin, { authorization: `Bearer ${session_token}` })
    expect([refreshed[0]?.code, asDeveloper?.status, asDeveloper?.code]).toEqual(["INVALID_TOKEN", 401, "UNAUTHORIZED"])
  })
})
