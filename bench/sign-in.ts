import { hash } from "node:crypto"
import { nativePasswordHashers } from "@hearth/adapters"
import { Effect } from "effect"
import { connectTo } from "./harness/database.ts"
import { type Figure, measureInTurns, median, ratio, runConcurrently } from "./harness/figure.ts"
import { call, type Service, setUp } from "./harness/service.ts"

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

  const hasher = nativePasswordHashers().client
  const stored = await Effect.runPromise(hasher.hash("correct horse battery"))
  const verify = () => Effect.runPromise(hasher.verify("correct horse battery", stored))
  await runConcurrently(loginClients, 3 * logins, login)
  const [loginRate, hashRate] = await measureInTurns(
    rounds,
    () => runConcurrently(loginClients, logins, login),
    () => runConcurrently(loginClients, logins, verify),
  )

  const me = () => call(service, "GET", "/client/users/me", client)
  const quiet = await p99(me)
  const loaded = await p99(me, () => runConcurrently(loginClients, logins * 2, login))

  const database = await Promise.all(Array.from({ length: signInClients }, () => connectTo(service.dataDir, projectId)))
  const insert = `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at,
    last_seen_at, is_disabled, created_at, updated_at)
    values ($1, 'x', $2, '[]', '{}', now(), now(), false, now(), now())`
  const [anonymousRate, rowRate] = await measureInTurns(
    rounds,
    () => runConcurrently(signInClients, anonymous, () => call(service, "POST", "/client/auth/anonymous", key)),
    () =>
      runConcurrently(signInClients, anonymous, (index) => {
        const id = crypto.randomUUID()
        return database[index % signInClients]?.query(insert, [id, hash("sha1", id)]) ?? Promise.resolve()
      }),
  )
  await Promise.all(database.map((connection) => connection.end()))

  return [
    ratio(
      `Email login, ${loginClients} clients`,
      "logins/s",
      loginRate,
      hashRate,
      "the hash alone on these cores",
      0.9,
    ),
    {
      name: "GET /client/users/me while users log in, p99",
      measured: `${loaded.toFixed(1)} ms = ${(loaded / quiet).toFixed(1)} ×`,
      bound: `≤ 4 × its quiet p99 (${quiet.toFixed(1)} ms)`,
      kept: loaded <= 4 * quiet,
    },
    {
      name: "Anonymous sign-in, 16 clients",
      measured: `${Math.round(anonymousRate)} sign-ins/s = ${(anonymousRate / rowRate).toFixed(2)} ×`,
      bound: `≥ 1,500/s or ≥ 0.1 × one-row inserts (${Math.round(rowRate)}/s)`,
      kept: anonymousRate >= Math.min(1_500, 0.1 * rowRate),
    },
    await loginGap(service, attempts),
  ]
}
