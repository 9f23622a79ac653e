import { randomUUID } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { databaseUrl } from "@hearth/test-services"
import { issue, openKeyServer, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { type ApnsServer, startApnsServer } from "@hearth/test-services/push"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openApi } from "../../src/http/openapi/openapi.ts"
import { fullPath } from "../../src/http/routing/route.ts"
import { routeGroups, routes } from "../../src/routes/index.ts"
import type { Credentials } from "../harness/api.ts"
import { listFields, makeExamples, type RecordedCall, recordCall } from "../harness/examples.ts"
import { daysAgo } from "../harness/fixtures.ts"
import { sqlOf } from "../harness/sql.ts"
import { loadTours, type TourCall } from "../harness/tour.ts"
import { openRealService, type RealService } from "./real-service.ts"

const examplesFile = join(import.meta.dirname, "../../src/http/openapi/examples.json")

/** Matches columns that no answer may have. `is_disabled` is not one: developers set and see it; `has_secret` tells no secret. */
const secret = /hash|(?<!has_)secret|is_ready|revoked/

const google = signingKey("leaks")
const issuer = "https://google.test"
const audience = "web.example.app"

const identityToken = () => {
  const now = Math.floor(Date.now() / 1000)
  return issue(google, { iss: issuer, aud: audience, sub: randomUUID(), iat: now, exp: now + 600 })
}

/** Fields that callers send and must not be able to set. */
const forbiddenInput = {
  ...{ id: randomUUID(), project_id: randomUUID(), app_user_id: randomUUID(), owner_id: randomUUID() },
  ...{ created_at: daysAgo(900), updated_at: daysAgo(900), last_seen_at: daysAgo(900), first_seen_at: daysAgo(900) },
  ...{ is_ready: false, is_disabled: true, password_hash: "canary-hash", token_hash: "canary-hash", role: "owner" },
  ...{ is_system: true, user_count: 99, last_evaluated_at: daysAgo(900) },
  ...{ current_count: 99, longest_count: 99, freezes_remaining: 99, anonymous_id: "canary-id", oauth_providers: ["a"] },
}

/** The text of an answer; of a stream, which does not end, what comes first. */
const readText = async (response: Response): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream" || response.body === null) return response.text()
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

/** The names of all properties in a JSON schema document. */
const propertiesIn = (node: unknown): ReadonlyArray<string> => {
  if (typeof node !== "object" || node === null) return []
  const own = "properties" in node && typeof node.properties === "object" ? Object.keys(node.properties ?? {}) : []
  return [...own, ...Object.values(node).flatMap(propertiesIn)]
}

const tours = await loadTours()

// The last tests look at what the others were answered.
describe("the answers of the service", { shuffle: false }, () => {
  const sql = sqlOf(databaseUrl)
  const password = `canary-${randomUUID()}`
  const called = new Set<string>()
  const answers: Array<string> = []
  const recorded: Array<RecordedCall> = []
  let service: RealService
  let apns: ApnsServer
  let closeKeys = async () => {}

  beforeAll(async () => {
    const keys = await openKeyServer(publishKeys([google.jwk]))
    closeKeys = keys.close
    apns = await startApnsServer()
    const providers = { IDP_B_ISSUERS: issuer, IDP_B_JWKS_URL: keys.jwksUrl, PUSH_A_URL: apns.url }
    service = await openRealService(providers)
  })
  afterAll(async () => {
    await service.close()
    await apns.stop()
    await closeKeys()
  })

  /** Calls a route with its path parameters filled in and the forbidden input in its body. Answers its data. */
  const call = async <Data = Record<string, string>>(
    name: string,
    as: Credentials = {},
    { body, query, ...params }: TourCall = {},
  ): Promise<Data> => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === name)
    if (route === undefined) throw new Error(`There is no route ${name}.`)
    const { method } = route
    const path = fullPath(route).replaceAll(/:(\w+)/g, (_, param) => String(params[param]))
    const sent =
      method === "GET"
        ? {}
        : { body: JSON.stringify({ ...forbiddenInput, ...body }), headers: { "content-type": "application/json" } }
    const send = () =>
      service.fetch(
        new Request(`http://hearth.test${path}${query === undefined ? "" : `?${query}`}`, {
          ...sent,
          method,
          headers: { ...as, ...sent.headers },
        }),
      )
    const first = await send()
    // A machine with much to do may be too slow for a new database. Nothing was changed, says the answer.
    const response = first.status === 503 ? await send() : first
    const text = await readText(response)
    // With what was logged of it: the answer to a fault says no more than that there was one.
    const refusal = () => `${text} ${service.logged().split("\n").at(-1)}`
    expect([name, response.status < 400 ? "ok" : refusal()]).toEqual([name, "ok"])
    called.add(name)
    answers.push(text)
    expect(text).not.toMatch(/canary|"id":null/)
    recorded.push(recordCall(route, body, response.status, text))
    const isJson = response.headers.get("content-type") === "application/json"
    return isJson ? (JSON.parse(text) as { data: Data }).data : (text as Data)
  }

  /** Sends a request to any path. A success counts as a call of its route. */
  const fetch = async (path: string, init?: RequestInit) => {
    const response = await service.fetch(new Request(`http://hearth.test${path}`, init))
    const patternOf = (route: (typeof routes)[number]) =>
      new RegExp(`^${fullPath(route).replaceAll(/:\w+/g, "[^/]+")}$`)
    const asked = routes.find(
      (route) => route.method === (init?.method ?? "GET") && patternOf(route).test(path.replace(/\?.*/, "")),
    )
    const text = await response.clone().text()
    if (asked !== undefined && response.status < 400) {
      called.add(`${asked.method} ${asked.path}`)
      recorded.push(recordCall(asked, init?.body, response.status, text))
    }
    answers.push(text)
    return response
  }

  it("have no secret column in the schema of any route", () => {
    const { paths, components } = JSON.parse(JSON.stringify(openApi(routeGroups, "0.0.0")))
    const answered = Object.values<Record<string, { responses: unknown }>>(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => propertiesIn(responses)),
    )
    const names = new Set([...answered, ...propertiesIn(components)])
    expect(names.size).toBeGreaterThan(50)
    expect([...names].filter((name) => secret.test(name))).toEqual([])
  })

  /** Calls every route of authentication. Answers the last sign-in. */
  const signInEveryWay = async (app: Credentials, session_token: string) => {
    type SignedIn = { session_token: string; refresh_token: string; user: { id: string } }
    const way = (name: string, body: object) => call<SignedIn>(`POST /client/auth/${name}`, app, { body })
    await way("social", { provider: "idp_b", token: identityToken() })
    await way("link", { provider: "idp_b", token: identityToken(), session_token })
    const account = { email: `${randomUUID()}@example.com`, password }
    await way("email/signup", account)
    const { refresh_token } = await way("email/login", account)
    const next = await way("refresh", { refresh_token })
    await way("logout", { refresh_token: next.refresh_token })
    await way("magic-link/request", { email: account.email })
    await expect.poll(() => service.mails().length).toBe(1)
    const token = /token=([\w-]+)/.exec(service.mails()[0]?.text ?? "")?.[1]
    const last = await way("magic-link/verify", { token })
    const as = { ...app, authorization: `Bearer ${last.session_token}` }
    const [own] = await call<ReadonlyArray<{ id: string }>>("GET /client/auth/sessions", as)
    await call("DELETE /client/auth/sessions/:id", as, { id: own?.id })
    for (const credential of [account.email, token ?? "", last.refresh_token])
      expect(service.logged().includes(credential)).toBe(false)
    return last
  }

  it("have no hashes, no passwords and none of the forbidden input", async () => {
    const email = `${randomUUID()}@example.com`
    const guest = { email: `${randomUUID()}@example.com`, password }
    const signup = await call("POST /auth/developer/signup", {}, { body: { email, password } })
    const { developer: invited } = await call<{ developer: { id: string } }>(
      "POST /auth/developer/signup",
      {},
      { body: guest },
    )
    const login = await call("POST /auth/developer/login", {}, { body: { email, password } })
    const { refresh_token = "" } = login
    const { access_token } = await call("POST /auth/developer/refresh", {}, { body: { refresh_token } })
    await call("POST /auth/developer/logout", {}, { body: { refresh_token: signup["refresh_token"] } })
    const developer = { authorization: `Bearer ${access_token}` }
    await call("GET /auth/developer/me", developer)

    const made = await call("POST /admin/projects", developer, { body: { name: "Lessons" } })
    const projectId = made["id"]
    expect(projectId).not.toBe(forbiddenInput.id)
    const admin = <Data = Record<string, string>>(name: string, more: object = {}) =>
      call<Data>(name.replace(" ", " /admin/projects/:projectId"), developer, { projectId, ...more })
    await call("GET /admin/projects", developer)
    await admin("GET ")
    await admin("PATCH ", { body: { name: "Renamed", oauth_client_id: audience } })
    const key = await admin("POST /api-keys", { body: { name: "Second" } })
    await admin("GET /api-keys")
    await admin("DELETE /api-keys/:keyId", { keyId: key["id"] })
    await admin("POST /members", { body: { email: guest.email, role: "viewer" } })
    await admin("GET /members")
    await admin("PATCH /members/:developerId", { developerId: invited.id, body: { role: "admin" } })
    await admin("DELETE /members/:developerId", { developerId: invited.id })

    const app = { "x-api-key": made["client_api_key"] ?? "" }
    const signedIn = await call<{ session_token: string; user: { id: string } }>("POST /client/auth/anonymous", app)
    const user = { ...app, authorization: `Bearer ${signedIn.session_token}` }
    expect(signedIn.user.id).not.toBe(forbiddenInput.id)
    const fields = { name: "Streak", qualifying_event: "lesson", freeze_enabled: true, max_freezes: 3 }
    const streak = await admin("POST /streaks", { body: fields })
    const streakId = streak["id"]
    await admin("GET /streaks")
    await admin("PATCH /streaks/:streakId", { streakId, body: { description: "Daily" } })
    const event = { event_name: "lesson", app_user_id: signedIn.user.id }
    expect(
      await call("POST /client/events", user, { body: { event_name: "lesson", event_id: "lesson 1" } }),
    ).toMatchObject({ inserted: 1 })
    expect(await admin("POST /events", { body: event })).toMatchObject({ inserted: 1 })
    const counted = await call("POST /client/streaks/:streakId/qualify", user, { streakId })
    expect(counted).toMatchObject({ current_count: 1, longest_count: 1, freezes_remaining: 3 })
    await call("GET /client/streaks", user)
    const live = await admin<ReadonlyArray<object>>("GET /users/:userId/sessions", { userId: signedIn.user.id })
    expect(live).toHaveLength(1)
    const shield = { userId: signedIn.user.id, streakDefinitionId: streakId }
    await admin("POST /users/:userId/streaks/:streakDefinitionId/grant-shield", shield)
    await admin("GET /users/:userId", { userId: signedIn.user.id })
    const updates = { properties: { plan: "pro" } }
    const updated = await admin("POST /users/bulk-update", { body: { user_ids: [signedIn.user.id], updates } })
    expect(updated).toEqual({ updated: 1, failed: [] })
    const granted = { userId: signedIn.user.id, body: { entitlement_id: "pro" } }
    const entitlement = await admin("POST /users/:userId/entitlements", granted)
    expect(entitlement).toMatchObject({ app_user_id: signedIn.user.id, is_active: true })
    expect(entitlement["id"]).not.toBe(forbiddenInput.id)
    expect(await admin("POST /users/:userId/entitlements", granted)).toMatchObject({ id: entitlement["id"] })
    await call("PATCH /client/users/me", user, { body: { display_name: "Somebody", properties: { level: 1 } } })
    await call("GET /client/users/me", user)

    const ways = await signInEveryWay(app, signedIn.session_token)
    const userId = ways.user.id
    await admin("POST /events", { body: { ...event, app_user_id: userId } })
    expect(await admin<ReadonlyArray<object>>("GET /events")).toHaveLength(4)
    expect(await admin("GET /events/count", { query: `since=${daysAgo(1)}` })).toEqual({ total: 4 })
    expect(await admin<ReadonlyArray<object>>("GET /users/:userId/events", { userId })).toHaveLength(1)
    expect(await admin<string>("GET /users/export")).toContain(userId)
    expect(await admin<string>("GET /users/:userId/events/export", { userId })).toContain(userId)
    await admin("GET /users/:userId/records/:section", { userId, section: "app_users" })
    expect(await admin<string>("GET /users/:userId/export", { userId })).toContain('"section":"app_users"')
    await admin("PATCH /users/:userId", { userId: ways.user.id, body: { is_disabled: true } })

    // With a user who has a password.
    expect(await admin<ReadonlyArray<unknown>>("GET /users")).not.toHaveLength(0)

    const hashes = await sql.rows<{ hash: string }>(
      service.controlDatabase,
      "select password_hash as hash from developers union all select token_hash from developer_refresh_tokens",
    )
    const sessions = await sql.rows<{ hash: string }>(
      projectId ?? "",
      "select token_hash as hash from app_user_sessions",
    )
    const everything = answers.join("\n")
    expect(hashes.length + sessions.length).toBeGreaterThan(5)
    expect([...hashes, ...sessions].filter(({ hash }) => everything.includes(hash))).toEqual([])
    const log = service.logged()
    for (const credential of [password, email, refresh_token, access_token, signedIn.session_token, app["x-api-key"]])
      expect(log.includes(credential ?? "")).toBe(false)

    await call("DELETE /client/users/me", user)
    await admin("DELETE /streaks/:streakId", { streakId })
    await admin("DELETE ")
  })

  it.each(tours)("have none of these in the routes of $feature", async ({ tour }) => {
    const account = { email: `${randomUUID()}@example.com`, password }
    const { access_token } = await call("POST /auth/developer/signup", {}, { body: account })
    const developer = { authorization: `Bearer ${access_token}` }
    const { id: projectId = "", client_api_key = "" } = await call("POST /admin/projects", developer, {
      body: { name: "Tour" },
    })
    const app = { "x-api-key": client_api_key }
    const signedIn = await call<{ session_token: string; user: { id: string } }>("POST /client/auth/anonymous", app)
    const user = { ...app, authorization: `Bearer ${signedIn.session_token}` }
    await tour({
      ...{ projectId, userId: signedIn.user.id, sql },
      admin: (name, more) => call(name.replace(" ", " /admin/projects/:projectId"), developer, { projectId, ...more }),
      client: (name, more) => call(name, user, more),
      anybody: (name, more) => call(name, {}, more),
      fetch,
    })
  })

  it("are the examples of the reference", () => {
    const made = makeExamples(recorded)
    if (process.env["UPDATE_EXAMPLES"] !== undefined) writeFileSync(examplesFile, `${JSON.stringify(made, null, 2)}\n`)
    const kept = JSON.parse(readFileSync(examplesFile, "utf8")) as typeof made
    const fieldsOf = (examples: typeof made) =>
      Object.fromEntries(Object.entries(examples).map(([id, example]) => [id, [example.status, listFields(example)]]))
    // After a change of the API: UPDATE_EXAMPLES=1, and then `pnpm generate`.
    expect(fieldsOf(kept)).toEqual(fieldsOf(made))
  })

  it("were tested for every route", () => {
    expect([...called].sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
  })
})
