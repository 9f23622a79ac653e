import { randomInt, randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { type Api, apiAt, type Credentials } from "../../packages/server/test/harness/api.ts"
import { aUser, type TestProject, type TestUser } from "../../packages/server/test/harness/fixtures.ts"

/** Servers of one or two releases, as a proxy in front of them sees them. */
export interface Servers {
  /** Their addresses; who calls takes any. */
  readonly urls: Array<string>
  readonly api: Api
  /** What failed without being announced, with how often: 5xx without `Retry-After`, and calls without an answer. */
  readonly faults: ReadonlyMap<string, number>
  /** 503 with `Retry-After`. */
  refused(): number
  /** How many calls were answered. */
  answered(): number
}

const patternOf = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "*").replace(/\?.*/, "")

/** Calls go to any of the servers; what is answered is counted. */
export const openServers = (): Servers => {
  const urls: Array<string> = []
  const faults = new Map<string, number>()
  let [refused, answered] = [0, 0]
  const note = (what: string) => void faults.set(what, (faults.get(what) ?? 0) + 1)
  const any = apiAt(() => urls[randomInt(urls.length)] ?? "")

  const call = async <Data>(method: string, path: string, as?: Credentials, body?: unknown) => {
    const answer = await any.call<Data>(method, path, as, body).catch((error: Error) => {
      note(`${method} ${patternOf(path)}: ${error.cause ?? error}`)
      throw error
    })
    answered += 1
    const isAnnounced = answer.status === 503 && answer.headers.has("retry-after")
    if (isAnnounced) refused += 1
    else if (answer.status >= 500) note(`${method} ${patternOf(path)}: ${answer.status} ${answer.text.slice(0, 200)}`)
    return answer
  }
  const ok = async <Data>(method: string, path: string, as?: Credentials, body?: unknown): Promise<Data> => {
    for (;;) {
      const { status, headers, data, text } = await call<Data>(method, path, as, body)
      if (status < 300) return data
      if (status !== 503) throw new Error(`${method} ${path} answered ${status}: ${text}`)
      await wait(1_000 * Number(headers.get("retry-after") ?? 1))
    }
  }
  return {
    urls,
    api: { call, ok, root: any.root },
    faults,
    refused: () => refused,
    answered: () => answered,
  }
}

/** What apps and developers do all day, in both releases. */
export interface EverydayClients {
  /** The ids of the users who have signed up. */
  readonly signedUp: ReadonlyArray<string>
  /** The `event_id`s that were answered with their effects. */
  readonly withEffects: ReadonlySet<string>
  /** Answers that do not fit, each once. */
  readonly surprises: ReadonlySet<string>
  stop(): Promise<void>
}

/** Users sign up by mail, come back, write with effects, and look; developers look. Each waits a moment between two rounds. */
export const startEverydayClients = async (
  { api }: Servers,
  project: TestProject,
  boards: ReadonlyArray<string>,
): Promise<EverydayClients> => {
  const signedUp: Array<string> = []
  const withEffects = new Set<string>()
  const surprises = new Set<string>()
  let stopped = false
  const surprise = (what: string) => void surprises.add(patternOf(what))
  const insist = async <Data>(method: string, path: string, as: Credentials, body?: unknown) => {
    const answer = await api.call<Data>(method, path, as, body).catch(() => null)
    if (answer !== null && answer.status >= 400 && answer.status < 500)
      surprise(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
    return answer
  }

  const newUsers = async () => {
    const address = { "x-forwarded-for": `10.${randomInt(250)}.${randomInt(250)}.${randomInt(250)}` }
    const as = { ...project.app, ...address }
    const account = { email: `${randomUUID()}@example.com`, password: "correct horse" }
    const made = await insist<{ user: { id: string } }>("POST", "/client/auth/email/signup", as, account)
    if (made === null || made.status >= 300) return
    signedUp.push(made.data.user.id)
    const back = await insist<{ user: { id: string } }>("POST", "/client/auth/email/login", as, account)
    if (back !== null && back.status < 300 && back.data.user.id !== made.data.user.id)
      surprise("somebody else signed in")
  }
  const effects = async ({ as }: TestUser) => {
    const event_id = randomUUID()
    const event = { event_name: "lesson", event_id }
    const answer = await insist<{ effects?: unknown }>("POST", "/client/events?effects=true", as, event)
    if (answer?.status !== 200) return
    withEffects.add(event_id)
    if (answer.data.effects === undefined) surprise("no effects")
  }
  /** An app that was not answered soon enough asks again under the same key, and may get to another server. */
  const payTwice = async ({ as }: TestUser) => {
    const body = { amount: 0.0001, idempotency_key: randomUUID() }
    const pay = () => insist<{ transaction: { id: string } }>("POST", "/client/currencies/COIN/spend", as, body)
    const answers = (await Promise.all([pay(), pay(), pay(), pay()])).filter((answer) => answer?.status === 201)
    if (new Set(answers.map((answer) => answer?.data.transaction.id)).size > 1) surprise("paid twice with one key")
  }
  const looks = async ({ as }: TestUser) => {
    await insist("PATCH", "/client/users/me", as, { display_name: randomUUID() })
    await insist("GET", "/client/users/me", as)
    await insist("GET", "/client/leaderboards?limit=5", as)
    for (const id of boards) await insist("GET", `/client/leaderboards/${id}/entries?limit=3`, as)
  }
  const developers = async ({ id }: TestUser) => {
    const { admin, owner } = project
    for (const path of [
      "/users?limit=10",
      "/streaks",
      "/events?limit=20",
      `/users/${id}`,
      `/users/${id}/xp`,
      "/segments",
    ])
      await insist("GET", `${admin}${path}`, owner.as)
    await insist("GET", "/admin/projects", owner.as)
  }

  const users = [await aUser(api, project), await aUser(api, project)]
  const everyday = [
    newUsers,
    ...users.flatMap((user) => [effects, payTwice, looks, developers].map((each) => () => each(user))),
  ]
  const loops = everyday.map(async (each) => {
    while (!stopped) {
      await each()
      await wait(100)
    }
  })
  return {
    ...{ signedUp, withEffects, surprises },
    stop: async () => {
      stopped = true
      await Promise.all(loops)
    },
  }
}
