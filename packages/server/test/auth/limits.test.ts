import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Credentials } from "../harness/api.ts"
import { aProject, aUser, someAddress, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const countOf = (answers: ReadonlyArray<Answer<unknown>>) => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe("the limits of the client plane [B14]", () => {
  const harness = makeHarness()
  let servers: ReadonlyArray<TestServer>
  let project: TestProject

  beforeAll(async () => {
    const { environment } = await harness.database()
    const limits = {
      LIMIT_SIGN_IN: "40 per hour",
      LIMIT_EMAIL_SIGNUP: "3 per hour",
      LIMIT_USER_EVENTS: "150 per hour",
      LIMIT_USER_WRITES: "30 per hour",
    }
    servers = await Promise.all([1, 2].map(() => harness.server({ ...environment, ...limits })))
    project = await aProject(server(0).api)
  })
  afterAll(harness.clear)

  const server = (n: number): TestServer => servers[n % servers.length] as TestServer
  /** Calls both servers in turn, all at once. */
  const atOnce = (count: number, path: string, as: Credentials, body?: (turn: number) => object) =>
    Promise.all(
      Array.from({ length: count }, (_, turn) =>
        server(turn).api.call("POST", path, { ...project.app, ...as }, body?.(turn)),
      ),
    )
  const expectRefused = (answer: Answer<unknown> | undefined, longest: number) => {
    expect(answer).toMatchObject({ status: 429, code: "RATE_LIMIT_EXCEEDED" })
    const seconds = Number(answer?.headers.get("retry-after"))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(longest)
  }

  it("try ten of a hundred guesses that two servers get at once, and leave other addresses free", async () => {
    const account = { email: `${randomUUID()}@example.com`, password: "correct horse" }
    await server(0).api.ok("POST", "/client/auth/email/signup", { ...project.app, ...someAddress() }, account)
    const address = someAddress()
    const guesses = await atOnce(100, "/client/auth/email/login", address, (turn) => ({
      ...account,
      password: `guess ${turn}`,
    }))
    expect(countOf(guesses)).toEqual({ 401: 10, 429: 90 })
    for (const n of [0, 1]) {
      const login = (from: Credentials) =>
        server(n).api.call("POST", "/client/auth/email/login", { ...project.app, ...from }, account)
      expectRefused(await login(address), 900)
      expect((await login(someAddress())).status).toBe(200)
    }
  })

  it("refuse no right password, however many are given at once", async () => {
    const account = { email: `${randomUUID()}@example.com`, password: "correct horse" }
    await server(0).api.ok("POST", "/client/auth/email/signup", { ...project.app, ...someAddress() }, account)
    expect(countOf(await atOnce(24, "/client/auth/email/login", someAddress(), () => account))).toEqual({ 200: 24 })
  })

  it.each([
    ["magic-link/verify", { token: "guess" }],
    ["refresh", { refresh_token: "guess" }],
    ["link", { provider: "idp_a", token: "guess", session_token: "guess" }],
  ] as const)("try sixty guesses for %s from an address", async (path, body) => {
    const address = someAddress()
    const answers = await atOnce(80, `/client/auth/${path}`, address, () => body)
    expect(countOf(answers)).toEqual({ 401: 60, 429: 20 })
    expectRefused(
      answers.find(({ status }) => status === 429),
      60,
    )
  })

  it("count sign-ups and sign-ins per address, as they are configured", async () => {
    const address = someAddress()
    const signups = await atOnce(5, "/client/auth/email/signup", address, () => ({
      email: `${randomUUID()}@example.com`,
      password: "x",
    }))
    expect(countOf(signups)).toEqual({ 201: 3, 429: 2 })
    const anonymous = await atOnce(50, "/client/auth/anonymous", address)
    expect(countOf(anonymous)).toEqual({ 201: 40, 429: 10 })
    expectRefused(
      anonymous.find(({ status }) => status === 429),
      3_600,
    )
  })

  it("count what a user writes: calls and events, not reads", async () => {
    const [writer, other] = [await aUser(server(0).api, project), await aUser(server(0).api, project)]
    const events = (count: number) => ({ events: Array.from({ length: count }, () => ({ event_name: "lesson" })) })
    const write = (count: number) => server(0).api.call("POST", "/client/events", writer.as, events(count))
    expect([(await write(100)).status, (await write(100)).status, (await write(50)).status]).toEqual([200, 429, 200])

    // The three calls with events count as calls as well, the refused one included.
    const patches = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => server(turn).api.call("PATCH", "/client/users/me", writer.as, {})),
    )
    expect(countOf(patches)).toEqual({ 200: 27, 429: 13 })
    expectRefused(
      patches.find(({ status }) => status === 429),
      3_600,
    )
    expect((await server(0).api.call("GET", "/client/users/me", writer.as)).status).toBe(200)
    expect((await server(1).api.call("PATCH", "/client/users/me", other.as, {})).status).toBe(200)
  })
})
