import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { someAddress } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("the limits of the developer routes", () => {
  const harness = makeHarness()
  let server: TestServer

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  const headersOf = ({ headers }: Answer<unknown>, ...names: ReadonlyArray<string>) =>
    names.map((name) => (headers.get(name) === null ? null : Number(headers.get(name))))

  it.each([
    ["signup", 5, { email: "not an address", password: "long enough" }, 400],
    ["login", 10, { email: "nobody@example.com", password: "wrong" }, 401],
    ["refresh", 30, { refresh_token: "none" }, 401],
  ] as const)("%s answers %i calls a minute and address, and then 429", async (route, points, body, status) => {
    const address = someAddress()
    const call = (from = address) => server.api.call("POST", `/auth/developer/${route}`, from, body)
    for (let left = points - 1; left >= 0; left -= 1) {
      const answer = await call()
      expect(answer.status).toBe(status)
      expect(headersOf(answer, "ratelimit-limit", "ratelimit-remaining", "retry-after")).toEqual([points, left, null])
    }
    const refused = await call()
    expect([refused.status, refused.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"])
    const [limit, remaining, reset, retry = 0] = headersOf(
      refused,
      ...["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"],
    )
    expect([limit, remaining, reset]).toEqual([points, 0, retry])
    expect(retry).toBeGreaterThan(0)
    expect(retry).toBeLessThanOrEqual(60)
    expect((await call(someAddress())).status).toBe(status)
  })

  it("counts each route by itself, and does not count routes without a limit", async () => {
    const address = someAddress()
    const call = (route: string, body: unknown) => server.api.call("POST", `/auth/developer/${route}`, address, body)
    for (let n = 0; n < 6; n += 1) await call("signup", {})
    expect((await call("signup", {})).status).toBe(429)
    expect((await call("login", { email: "nobody@example.com", password: "wrong" })).status).toBe(401)
    const logout = await call("logout", { refresh_token: "none" })
    expect([logout.status, logout.headers.get("ratelimit-limit")]).toEqual([200, null])
  })
})
