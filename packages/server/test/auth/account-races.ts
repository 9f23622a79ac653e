import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { issue, openKeyServer, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { startMailServer, urlOf } from "@hearth/test-services/mail-server"
import { makeContentRaces } from "../content/races.ts"
import { makeGroupRaces } from "../groups/races.ts"
import type { Answer, Api } from "../harness/api.ts"
import { aProject, aStreak, aUser, someAddress, type TestProject } from "../harness/fixtures.ts"
import type { Harness, TestServer } from "../harness/harness.ts"
import { makeMessagingRaces } from "../messaging/races.ts"
import { makeReviewRaces } from "../reviews/races.ts"

/** What sign-ins answer. */
export interface SignedIn {
  readonly session_token: string
  readonly refresh_token: string
  readonly user: { readonly id: string }
}

/** Two servers of one service, and calls that are made on both at once. */
export interface RacingServers {
  readonly servers: readonly [TestServer, TestServer]
  readonly project: TestProject
  /** Races by name. Each is run once per call and answers what should not have happened. */
  readonly races: Readonly<Record<string, () => Promise<ReadonlyArray<string>>>>
  close(): Promise<void>
}

const google = signingKey("google")
const issuer = "https://google.test"
const audience = "web.example.app"

const identityToken = (sub: string) => {
  const now = Math.floor(Date.now() / 1000)
  return issue(google, { iss: issuer, aud: audience, sub, iat: now, exp: now + 600 })
}

const countStatuses = (answers: ReadonlyArray<Answer<unknown>>) =>
  [...Map.groupBy(answers, ({ status }) => status)]
    .sort(([a], [b]) => a - b)
    .map(([status, of]) => `${of.length} × ${status}`)
    .join(", ")

const expectStatuses = (answers: ReadonlyArray<Answer<unknown>>, expected: string): ReadonlyArray<string> => {
  const found = countStatuses(answers)
  return found === expected
    ? []
    : [`${found} instead of ${expected}: ${answers.find(({ status }) => status >= 500)?.text ?? ""}`]
}

/** Makes the same call `times` at once, alternating between both servers. */
const makeAtOnce =
  (servers: readonly [TestServer, TestServer], project: TestProject) =>
  <Data>(times: number, path: string, body: unknown): Promise<ReadonlyArray<Answer<Data>>> =>
    Promise.all(
      Array.from({ length: times }, (_, index) =>
        servers[index % 2 === 0 ? 0 : 1].api.call<Data>("POST", path, { ...project.app, ...someAddress() }, body),
      ),
    )

const makeAccountRaces = (
  atOnce: ReturnType<typeof makeAtOnce>,
  readMail: (email: string) => Promise<string>,
): RacingServers["races"] => {
  const one = async <Data>(path: string, body?: unknown): Promise<Data> => {
    const [answer] = await atOnce<Data>(1, path, body)
    if (answer === undefined || answer.status >= 300) throw new Error(answer?.text)
    return answer.data
  }
  return {
    refresh: async () => {
      const { refresh_token } = await one<SignedIn>("/client/auth/anonymous")
      const answers = await atOnce<SignedIn>(20, "/client/auth/refresh", { refresh_token })
      const winner = answers.find(({ status }) => status === 200)
      // Within ten seconds the others count as a race, not as theft [B6].
      const [next] = await atOnce(1, "/client/auth/refresh", { refresh_token: winner?.data.refresh_token })
      return [
        ...expectStatuses(answers, "1 × 200, 19 × 401"),
        ...(next?.status === 200 ? [] : [`the new token was refused: ${next?.text}`]),
      ]
    },
    "sign-up": async () => {
      const account = { email: `${randomUUID()}@example.com`, password: "correct horse" }
      const answers = await atOnce<SignedIn>(6, "/client/auth/email/signup", account)
      const { user } = await one<SignedIn>("/client/auth/email/login", account)
      const made = answers.find(({ status }) => status === 201)?.data.user.id
      return [
        ...expectStatuses(answers, "1 × 201, 5 × 409"),
        ...(user.id === made ? [] : [`login answers ${user.id}, and not ${made}`]),
      ]
    },
    identity: async () => {
      const body = { provider: "idp_b", token: identityToken(randomUUID()) }
      const answers = await atOnce<SignedIn>(10, "/client/auth/social", body)
      const users = new Set(answers.map(({ data }) => data?.user.id))
      return [...expectStatuses(answers, "10 × 200"), ...(users.size === 1 ? [] : [`${users.size} users were made`])]
    },
    link: async () => {
      const users = [await one<SignedIn>("/client/auth/anonymous"), await one<SignedIn>("/client/auth/anonymous")]
      const token = identityToken(randomUUID())
      const linked = await Promise.all(
        users.map(({ session_token }) =>
          atOnce<SignedIn>(1, "/client/auth/link", { provider: "idp_b", token, session_token }),
        ),
      )
      const code = linked.flat().find(({ status }) => status === 409)?.code
      return [
        ...expectStatuses(linked.flat(), "1 × 200, 1 × 409"),
        ...(code === "IDENTITY_ALREADY_LINKED" ? [] : [`the other was told ${code}`]),
      ]
    },
    "magic link": async () => {
      const email = `${randomUUID()}@example.com`
      await one("/client/auth/magic-link/request", { email })
      const token = /token=([\w-]{43})/.exec(await readMail(email))?.[1]
      const answers = await atOnce<SignedIn>(20, "/client/auth/magic-link/verify", { token })
      return expectStatuses(answers, "1 × 200, 19 × 401")
    },
  }
}

const makeEventRaces = (apis: readonly [Api, Api], project: TestProject): RacingServers["races"] => {
  const { admin, owner } = project
  const alternate = <Data>(times: number, method: string, path: string, body?: unknown) =>
    Promise.all(
      Array.from({ length: times }, (_, at) => apis[at % 2 === 0 ? 0 : 1].call<Data>(method, path, owner.as, body)),
    )
  return {
    event_id: async () => {
      const user = await aUser(apis[0], project)
      const event = { app_user_id: user.id, event_name: "raced", event_id: randomUUID() }
      const answers = await alternate<{ inserted: number }>(12, "POST", `${admin}/events`, event)
      const inserted = answers.reduce((sum, { data }) => sum + (data?.inserted ?? 0), 0)
      return [...expectStatuses(answers, "12 × 200"), ...(inserted === 1 ? [] : [`it was inserted ${inserted} times`])]
    },
    definition: async () => {
      const user = await aUser(apis[0], project)
      const streak = await aStreak(apis[0], project, { qualifying_event: "raced" })
      const [qualified, removed, shielded] = await Promise.all([
        Promise.all(
          [0, 1, 2, 3].map((at) =>
            apis[at % 2 === 0 ? 0 : 1].call("POST", `/client/streaks/${streak}/qualify`, user.as, {}),
          ),
        ),
        alternate(2, "DELETE", `${admin}/streaks/${streak}`),
        alternate(2, "POST", `${admin}/users/${user.id}/streaks/${streak}/grant-shield`, {}),
      ])
      const odd = [...qualified, ...shielded].filter(({ status }) => status !== 200 && status !== 404)
      const left = (await apis[0].ok<ReadonlyArray<{ id: string }>>("GET", `${admin}/streaks?limit=1000`, owner.as))
        .length
      return [
        ...odd.map(({ status, text }) => `${status}: ${text}`),
        ...expectStatuses(removed, "2 × 200"),
        ...(left === 0 ? [] : [`${left} definitions are left`]),
      ]
    },
  }
}

/** Starts two servers on one database, with an identity provider and a mail server. */
export const openRacingServers = async (
  harness: Harness,
  settings: Readonly<Record<string, string>> = {},
): Promise<RacingServers> => {
  const keys = await openKeyServer(publishKeys([google.jwk]))
  const { environment, sql } = await harness.database()
  const mails = await startMailServer()
  const provider = { IDP_B_ISSUERS: issuer, IDP_B_JWKS_URL: keys.jwksUrl }
  const all = { ...environment, ...provider, SMTP_URL: urlOf(mails, "smtp"), ...settings }
  const servers = [await harness.server(all), await harness.server(all)] as const
  const project = await aProject(servers[0].api)
  await servers[0].api.ok("PATCH", project.admin, project.owner.as, { oauth_client_id: audience })
  const readMail = async (email: string): Promise<string> => {
    for (let time = 0; time < 2_000; time += 1) {
      const mail = mails.arrived.find(({ recipients }) => recipients.includes(email))
      if (mail !== undefined) return mail.text
      await wait(5)
    }
    throw new Error(`No mail came to ${email}.`)
  }
  return {
    servers,
    project,
    races: {
      ...makeAccountRaces(makeAtOnce(servers, project), readMail),
      ...makeEventRaces([servers[0].api, servers[1].api], project),
      ...makeContentRaces([servers[0].api, servers[1].api], project),
      ...makeGroupRaces([servers[0].api, servers[1].api], project),
      ...makeReviewRaces([servers[0].api, servers[1].api], project, sql),
      ...makeMessagingRaces([servers[0].api, servers[1].api], project, (text) => sql.rows(project.id, text)),
    },
    close: async () => {
      await harness.clear()
      await keys.close()
      await mails.stop()
    },
  }
}
