import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { type ApiClient, makeApiClient } from "../demo/api-client.ts"
import type { AdminClient } from "../demo/progress.ts"
import { makeHistory, people } from "./people.ts"
import { setUpExample } from "./set-up.ts"
import { type SeededUser, socialize } from "./socialize.ts"

const batchSize = 250
const pauseMillis = 500
const patienceMillis = 60_000

/** An example project that was made. */
export interface SeededProject {
  readonly id: string
  readonly name: string
  readonly clientKey: string
  readonly account: { readonly email: string; readonly password: string }
  readonly users: ReadonlyArray<SeededUser>
  readonly events: number
  readonly boardId: string
  readonly storeId: string
}

const signUsersIn = async (call: ApiClient, clientKey: string): Promise<ReadonlyArray<SeededUser>> => {
  const users: Array<SeededUser> = []
  for (const { name, timezone } of people) {
    const made = await call("POST", "/client/auth/anonymous", undefined, { "x-api-key": clientKey })
    const headers = { "x-api-key": clientKey, authorization: `Bearer ${made.session_token}` }
    const own: AdminClient = (method, path, body) => call(method, `/client${path}`, body, headers)
    await own("PATCH", "/users/me", { display_name: name, timezone, properties: { plan: "free" } })
    users.push({ name, id: made.user.id, sessionToken: made.session_token, call: own })
  }
  return users
}

/** Waits until the boards stand still: then the reactions have handled everything. */
const waitUntilCounted = async (admin: AdminClient, boardId: string): Promise<void> => {
  const until = Date.now() + patienceMillis
  for (let before = ""; Date.now() < until; ) {
    const after = JSON.stringify(await admin("GET", `/leaderboards/${boardId}/entries?limit=100`))
    if (after === before && after !== "[]") return
    before = after
    await setTimeout(pauseMillis)
  }
}

/**
 * Makes a lively project through the public API: twelve users with four weeks of lessons and quizzes, and everything that follows
 * of them. Each call makes another project, with a developer of its own.
 */
export const seed = async (origin: string, name: string, now: number): Promise<SeededProject> => {
  const call = makeApiClient(origin)
  const account = { email: `seed-${randomUUID().slice(0, 8)}@example.com`, password: randomUUID() }
  const { access_token } = await call("POST", "/auth/developer/signup", account)
  const developer = { authorization: `Bearer ${access_token}` }
  const project = await call("POST", "/admin/projects", { name }, developer)
  const admin: AdminClient = (method, path, body) =>
    call(method, `/admin/projects/${project.id}${path}`, body, developer)
  const made = await setUpExample(admin)
  const users = await signUsersIn(call, project.client_api_key)
  const ids = new Map(users.map((user) => [user.name, user.id]))
  const events = makeHistory(now).map(({ by, ...event }) => ({ ...event, app_user_id: ids.get(by) }))
  for (let start = 0; start < events.length; start += batchSize)
    await admin("POST", "/events", { events: events.slice(start, start + batchSize) })
  await socialize(users, made)
  const [ada] = users
  await admin("POST", `/users/${ada?.id}/entitlements`, { entitlement_id: "premium", store: "support" })
  const [, boardId] = made.boardIds
  await waitUntilCounted(admin, boardId)
  return {
    ...{ id: project.id, name, clientKey: project.client_api_key, account, users },
    ...{ events: events.length, boardId, storeId: made.storeId },
  }
}
