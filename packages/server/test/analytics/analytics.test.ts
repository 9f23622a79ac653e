import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, daysAgo, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

const nothing = { total_sessions: 0, users: 0, mean_duration_seconds: 0, median_duration_seconds: 0 }

describe("analytics, from the outside", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const get = <Data = Record<string, unknown>>(path: string, of = project) =>
    server.api.call<Data>("GET", `${of.admin}/analytics/${path}`, of.owner.as)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]

  it("are zeros and empty lists in a new project [H5.2, H5.3]", async () => {
    expect((await get("sessions")).data).toEqual({ ...nothing, days: [], platforms: [], app_versions: [] })
    expect((await get("overview")).data).toEqual({ dau: [], wau: 0, mau: 0, new_users: [], stickiness: 0 })
    const { cohorts } = (await get<{ cohorts: ReadonlyArray<{ week: string; users: number }> }>("retention")).data
    expect(cohorts).toHaveLength(8)
    expect(cohorts.map(({ users }) => users)).toEqual(Array(8).fill(0))
    expect(cohorts.map(({ week }) => new Date(week).getUTCDay())).toEqual(Array(8).fill(1))
  })

  const now = () => new Date().toISOString()
  it.each([
    ["since that is no instant", () => "since=yesterday", "INVALID_SINCE"],
    ["an empty since", () => "since=", "INVALID_SINCE"],
    ["a day that does not exist", () => "since=2026-02-30", "INVALID_SINCE"],
    ["until that is no instant", () => "until=9", "INVALID_UNTIL"],
    ["since after now", () => "since=2200-01-01", "INVALID_SINCE"],
    ["until before since", () => `since=${daysAgo(1)}&until=${daysAgo(2)}`, "INVALID_UNTIL"],
    ["367 days", () => `since=${daysAgo(367)}&until=${now()}`, "RANGE_TOO_LARGE"],
    ["367 days up to now", () => `since=${daysAgo(367)}`, "RANGE_TOO_LARGE"],
  ])("of %s are refused [H5.2, D]", async (_, query, code) => {
    for (const figures of ["sessions", "overview"])
      expect(brief(await get(`${figures}?${query()}`))).toEqual([400, code])
  })

  it("are those of 366 days, and of none [H5.2]", async () => {
    const until = now()
    const since = new Date(Date.parse(until) - 366 * 86_400_000).toISOString()
    for (const figures of ["sessions", "overview"]) {
      expect(brief(await get(`${figures}?since=${since}&until=${until}`))).toEqual([200, null])
      expect(brief(await get(`${figures}?since=${until}&until=${until}`))).toEqual([200, null])
      expect(brief(await get(`${figures}?until=0002-01-01`))).toEqual([200, null])
      expect(brief(await get(`${figures}?since=9999-12-01&until=9999-12-31`))).toEqual([200, null])
    }
    const early = new Date(Date.parse(until) - 400 * 86_400_000).toISOString()
    const large = JSON.parse((await get(`sessions?since=${early}&until=${until}`)).text)
    expect(large.error.details).toEqual({ max_days: 366, requested_days: 400 })
  })

  it.each(["0", "27", "-1", "1.5", "eight", "", "1e1", "99999999999999999999"])(
    "of %j weeks of retention are refused [H5.3]",
    async (weeks) => {
      expect(brief(await get(`retention?weeks=${weeks}`))).toEqual([400, "INVALID_INPUT"])
    },
  )

  it.each([1, 26])("of %i weeks of retention are answered [H5.3]", async (weeks) => {
    const { data } = await get<{ cohorts: ReadonlyArray<{ retained: ReadonlyArray<number> }> }>(
      `retention?weeks=${weeks}`,
    )
    expect(data.cohorts.map(({ retained }) => retained.length)).toEqual(
      Array.from({ length: weeks }, (_, at) => weeks - at),
    )
  })

  it("count what apps and developers have written [H5.2, H5.3]", async () => {
    const own = await aProject(server.api)
    const [ada, bob, cyd] = [await aUser(server.api, own), await aUser(server.api, own), await aUser(server.api, own)]
    const start = (as: typeof ada, session_id: string, platform?: string) =>
      server.api.ok("POST", "/client/sessions/start", as.as, { session_id, platform, app_version: "1" })
    await start(ada, "one", "ios")
    await start(ada, "two", "ios")
    await start(bob, "one", "web")
    await start(bob, "two")
    // As if an hour ago, one minute long: they have lapsed.
    await sql.rows(
      own.id,
      `update tracking_sessions set started_at = started_at - interval '1 hour',
         last_seen_at = last_seen_at - interval '59 minutes', duration_seconds = 60`,
    )
    await server.api.ok("POST", `${own.admin}/events`, own.owner.as, {
      ...{ app_user_id: cyd.id, event_name: "lesson", occurred_at: daysAgo(2) },
    })
    const figures = (await get("sessions", own)).data
    expect(figures).toMatchObject({
      ...{ total_sessions: 4, users: 2, mean_duration_seconds: 60, median_duration_seconds: 60 },
      platforms: [
        { platform: "ios", sessions: 2, users: 1 },
        { platform: "web", sessions: 1, users: 1 },
        { platform: null, sessions: 1, users: 1 },
      ],
      app_versions: [{ app_version: "1", sessions: 4, users: 2 }],
    })
    const overview = () => get<{ mau: number; wau: number; dau: ReadonlyArray<object> }>("overview", own)
    await expect.poll(async () => (await overview()).data.mau).toBe(3)
    const { data } = await overview()
    expect(data).toMatchObject({
      ...{ wau: 3, stickiness: 3 / 30 / 3 },
      dau: [
        { date: daysAgo(2).slice(0, 10), users: 1 },
        { date: daysAgo(0).slice(0, 10), users: 2 },
      ],
      new_users: [{ date: daysAgo(0).slice(0, 10), users: 3 }],
    })
  })

  it("are read by viewers, and by nobody else's members [B2, B3]", async () => {
    const other = await aProject(server.api)
    for (const path of ["sessions", "overview", "retention"]) {
      const answer = await server.api.call("GET", `${project.admin}/analytics/${path}`, other.owner.as)
      expect(brief(answer)).toEqual([403, "FORBIDDEN"])
      expect(brief(await server.api.call("GET", `${project.admin}/analytics/${path}`))).toEqual([401, "UNAUTHORIZED"])
    }
  })
})
