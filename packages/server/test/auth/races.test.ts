import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness } from "../harness/harness.ts"
import { openRacingServers, type RacingServers, type SignedIn } from "./account-races.ts"

describe("races over two servers", () => {
  const harness = makeHarness()
  let racing: RacingServers

  beforeAll(async () => {
    racing = await openRacingServers(harness)
  })
  afterAll(() => racing.close(), 30_000)

  // More of them: `pnpm test:faults races 500`.
  it.each([
    ["lets exactly one of 20 refreshes of one token succeed, whose new token works", "refresh"],
    ["makes one user of parallel sign-ups with one email", "sign-up"],
    ["makes one user of parallel sign-ins with one new identity", "identity"],
    ["gives an identity that two users link at once to one of them", "link"],
    ["lets exactly one of 20 uses of one magic link in, and makes one user", "magic link"],
    ["inserts an event once that is sent many times at once", "event_id"],
  ])("%s", async (_, name) => {
    expect(await racing.races[name]?.()).toEqual([])
  })

  it("refuses a token of one kind where another kind is needed", async () => {
    const { project, servers } = racing
    const [{ api }] = servers
    const { session_token, refresh_token } = await api.ok<SignedIn>("POST", "/client/auth/anonymous", project.app)
    const me = (authorization: string) =>
      api.call("GET", "/client/users/me", { ...project.app, authorization: `Bearer ${authorization}` })
    const developer = (project.owner.as["authorization"] ?? "").replace("Bearer ", "")
    expect([(await me(session_token)).status, (await me(refresh_token)).code, (await me(developer)).code]).toEqual([
      200,
      "INVALID_TOKEN",
      "INVALID_TOKEN",
    ])
    const refreshed = await api.call("POST", "/client/auth/refresh", project.app, { refresh_token: session_token })
    const asDeveloper = await api.call("GET", project.admin, { authorization: `Bearer ${session_token}` })
    expect([refreshed.code, asDeveloper.status, asDeveloper.code]).toEqual(["INVALID_TOKEN", 401, "UNAUTHORIZED"])
  })
})
