import { hash } from "node:crypto"
import { startChildServer } from "../harness/child-server.ts"
import { connectTo } from "../harness/database.ts"
import { type Figure, measureService, median, ratio, runConcurrently, withCpu } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const logins = 60
const loginClients = 8
const anonymous = 400
const signInClients = 16
const rounds = 5
const attempts = 60

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work().catch(() => {})
  return performance.now() - began
}

/** The 99th of a hundred calls, in milliseconds, while `busy` goes on. */
const p99 = async (work: () => Promise<unknown>, busy: () => Promise<unknown> = async () => {}) => {
  let over = false
  const background = busy().finally(() => {
    over = true
  })
  const times: Array<number> = []
  while (!over || times.length < 100) times.push(await timed(work))
  await background
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** How far apart logins with a wrong password are, with a known email and with unknown ones. */
export const loginGap = async (service: Service, times: number): Promise<Figure> => {
  const { client } = await setUp(service, 1)
  const key = { "x-api-key": client["x-api-key"] }
  const email = "known@example.com"
  const account = JSON.stringify({ email, password: "correct horse battery" })
  await call(service, "POST", "/client/auth/email/signup", key, account)
  const [known, unknown]: [Array<number>, Array<number>] = [[], []]
  for (let attempt = 0; attempt < times; attempt += 1) {
    for (const [taken, one] of [
      [known, email],
      [unknown, `${attempt}@example.com`],
    ] as const) {
      const wrong = JSON.stringify({ email: one, password: "wrong" })
      taken.push(await timed(() => call(service, "POST", "/client/auth/email/login", key, wrong)))
    }
  }
  const gap = Math.abs(median(known) - median(unknown)) / median(known)
  return {
    name: "Login with an unknown email against a known one: difference of the medians",
    measured: `${(gap * 100).toFixed(1)} % of ${median(known).toFixed(1)} ms`,
    bound: "< 5 %",
    kept: gap < 0.05,
  }
}

/** The rate of sign-ins, against that of the hash alone and of the rows alone. */
export const signIn = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { client, projectId } = await setUp(service, 1)
  const key = { "x-api-key": client["x-api-key"] }
  const account = JSON.stringify({ email: "known@example.com", password: "correct horse battery" })
  await call(service, "POST", "/client/auth/email/signup", key, account)
  const login = () => call(service, "POST", "/client/auth/email/login", key, account)

  const bare = await startChildServer(new URL("../harness/hashing-server-process.ts", import.meta.url))
  const verify = () => call(bare, "POST", "/login", {}, account)
  await runConcurrently(loginClients, 3 * logins, login)
  await runConcurrently(loginClients, logins, verify)
  const byEmail = await measureService(
    rounds,
    service,
    () => runConcurrently(loginClients, logins, login),
    () => runConcurrently(loginClients, logins, verify),
  )
  await bare.stop()

  const me = () => call(service, "GET", "/client/users/me", client)
  const quiet = await p99(me)
  const loaded = await p99(me, () => runConcurrently(loginClients, logins * 2, login))

  const database = await Promise.all(Array.from({ length: signInClients }, () => connectTo(service.dataDir, projectId)))
  const insert = `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at,
    last_seen_at, is_disabled, created_at, updated_at)
    values ($1, 'x', $2, '[]', '{}', now(), now(), false, now(), now())`
  const anonymously = await measureService(
    rounds,
    service,
    () => runConcurrently(signInClients, anonymous, () => call(service, "POST", "/client/auth/anonymous", key)),
    () =>
      runConcurrently(signInClients, anonymous, (index) => {
        const id = crypto.randomUUID()
        return database[index % signInClients]?.query(insert, [id, hash("sha1", id)]) ?? Promise.resolve()
      }),
  )
  await Promise.all(database.map((connection) => connection.end()))

  return [
    withCpu(
      ratio(
        `Email login, ${loginClients} clients`,
        "logins/s",
        ...byEmail.rates,
        "a server of node:http that only hashes",
        0.9,
      ),
      byEmail.cpu,
    ),
    {
      name: "GET /client/users/me while users log in, p99",
      measured: `${loaded.toFixed(1)} ms = ${(loaded / quiet).toFixed(1)} ×`,
      bound: `≤ 4 × its quiet p99 (${quiet.toFixed(1)} ms)`,
      kept: loaded <= 4 * quiet,
    },
    withCpu(
      ratio(
        `Anonymous sign-in, ${signInClients} clients`,
        "sign-ins/s",
        ...anonymously.rates,
        "one-row inserts on as many connections",
        0.1,
      ),
      anonymously.cpu,
    ),
    await loginGap(service, attempts),
  ]
}
