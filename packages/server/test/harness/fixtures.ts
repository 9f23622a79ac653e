import { randomInt, randomUUID } from "node:crypto"
import type { Api, Credentials } from "./api.ts"

/** A developer's account. */
export interface TestDeveloper {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly as: Credentials
}

/** A project and its owner. */
export interface TestProject {
  readonly id: string
  /** Where the routes of its admin plane begin. */
  readonly admin: string
  readonly owner: TestDeveloper
  readonly clientKey: string
  /** The credentials of its app without a user. */
  readonly app: Credentials
}

/** A user of an app. */
export interface TestUser {
  readonly id: string
  readonly sessionToken: string
  readonly as: Credentials
}

/** A streak's own fields, as the API answers them. */
export interface StreakAnswer {
  readonly id: string
  readonly streak_definition_id: string
  readonly current_count: number
  readonly longest_count: number
  readonly freezes_remaining: number
  readonly status: string
}

/** A random client address, for a server that trusts one proxy. */
export const someAddress = (): Credentials => ({
  "x-forwarded-for": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
})

/** Signs a developer up. */
export const aDeveloper = async (api: Api): Promise<TestDeveloper> => {
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() }
  const { access_token, developer } = await api.ok<{ access_token: string; developer: { id: string } }>(
    "POST",
    "/auth/developer/signup",
    someAddress(),
    account,
  )
  return { ...account, id: developer.id, as: { authorization: `Bearer ${access_token}` } }
}

/** Makes a project. */
export const aProject = async (api: Api, owner?: TestDeveloper): Promise<TestProject> => {
  const by = owner ?? (await aDeveloper(api))
  const made = await api.ok<{ id: string; client_api_key: string }>("POST", "/admin/projects", by.as, { name: "Test" })
  const { id, client_api_key } = made
  return {
    id,
    admin: `/admin/projects/${id}`,
    owner: by,
    clientKey: client_api_key,
    app: { "x-api-key": client_api_key },
  }
}

/** Signs an anonymous user in, in a time zone if one is given. */
export const aUser = async (api: Api, { app }: TestProject, timezone?: string): Promise<TestUser> => {
  const { session_token, user } = await api.ok<{ session_token: string; user: { id: string } }>(
    "POST",
    "/client/auth/anonymous",
    app,
  )
  const as = { ...app, authorization: `Bearer ${session_token}` }
  if (timezone !== undefined) await api.ok("PATCH", "/client/users/me", as, { timezone })
  return { id: user.id, sessionToken: session_token, as }
}

/** Defines a streak, by default a daily one of `lesson_completed`. Answers its id. */
export const aStreak = async (api: Api, { admin, owner }: TestProject, fields: object = {}): Promise<string> => {
  const definition = { name: "Lessons", qualifying_event: "lesson_completed", ...fields }
  return (await api.ok<{ id: string }>("POST", `${admin}/streaks`, owner.as, definition)).id
}

/** The streaks of a user, as a developer sees them. */
export const streaksOf = async (api: Api, { admin, owner }: TestProject, userId: string) =>
  (await api.ok<{ streaks: ReadonlyArray<StreakAnswer> }>("GET", `${admin}/users/${userId}`, owner.as)).streaks

/** A time zone in which it is about noon, so that no test runs over midnight, and its offset from UTC. */
export const noonZone = (): { readonly name: string; readonly hours: number } => {
  const hours = 12 - new Date().getUTCHours()
  return { name: hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`, hours }
}

/** An instant so many days ago, at this time of the day. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
