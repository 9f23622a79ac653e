import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  aProject,
  aStreak,
  aUser,
  daysAgo,
  noonZone,
  type StreakAnswer,
  streaksOf,
  type TestProject,
  type TestUser,
} from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface OwnStreakAnswer extends StreakAnswer {
  readonly id: string
  readonly definition: { readonly id: string }
  readonly periods: ReadonlyArray<{ readonly status: string }>
}

describe("streaks, from the outside", () => {
  const harness = makeHarness()
  const zone = noonZone()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const own = async (user: TestUser, definition: string) =>
    (await server.api.ok<ReadonlyArray<OwnStreakAnswer>>("GET", "/client/streaks", user.as)).find(
      (streak) => streak.definition.id === definition,
    )

  /** Posts an event of the name for each of the days. */
  const postEvents = (user: TestUser, name: string, ...days: ReadonlyArray<number>) => {
    const events = days.map((ago) => ({ event_name: name, occurred_at: daysAgo(ago) }))
    return server.api.ok("POST", "/client/events", user.as, { events })
  }

  it("counts one event for a daily and a weekly streak, and another event for neither", async () => {
    const [daily, weekly] = [
      await aStreak(server.api, project, { qualifying_event: "walk" }),
      await aStreak(server.api, project, { qualifying_event: "walk", period: "weekly" }),
    ]
    const user = await aUser(server.api, project, zone.name)
    // Three weeks on whichever day this runs: on a Monday, 15 days ago is a fourth one.
    await postEvents(user, "walk", 0, 1, 2, 7, 13, 14)
    await postEvents(user, "swim", 3)
    await expect.poll(() => own(user, weekly)).toMatchObject({ current_count: 3, longest_count: 3, status: "active" })
    expect(await own(user, daily)).toMatchObject({ current_count: 3, longest_count: 3, status: "active" })
    const seen = await streaksOf(server.api, project, user.id)
    expect(seen.map((streak) => [streak.streak_definition_id, streak.current_count])).toEqual([
      [daily, 3],
      [weekly, 3],
    ])
  })

  it("covers missed days with freezes, and breaks when there are none left", async () => {
    const freezes = { qualifying_event: "read", freeze_enabled: true, max_freezes: 2 }
    const definition = await aStreak(server.api, project, freezes)
    const [keeper, loser] = [await aUser(server.api, project, zone.name), await aUser(server.api, project, zone.name)]
    await postEvents(keeper, "read", 5, 4, 2)
    await postEvents(loser, "read", 5, 4)
    await expect
      .poll(() => own(keeper, definition))
      .toMatchObject({
        ...{ current_count: 3, longest_count: 3, freezes_remaining: 0, status: "frozen" },
        periods: ["open", "frozen", "done", "frozen", "done", "done"].map((status) => ({ status })),
      })
    await expect
      .poll(() => own(loser, definition))
      .toMatchObject({
        ...{ current_count: 0, longest_count: 2, freezes_remaining: 0, status: "broken" },
        periods: ["open", "missed", "frozen", "frozen", "done", "done"].map((status) => ({ status })),
      })

    await postEvents(keeper, "read", 0)
    await expect.poll(() => own(keeper, definition)).toMatchObject({ current_count: 4, status: "active" })
    await postEvents(loser, "read", 0)
    await expect.poll(() => own(loser, definition)).toMatchObject({ current_count: 1, longest_count: 2 })
  })

  it("earns freezes by a long run, up to the cap", async () => {
    const rules = { qualifying_event: "run", freeze_enabled: true, max_freezes: 2, freezes_per_n_events: 3 }
    const definition = await aStreak(server.api, project, rules)
    const user = await aUser(server.api, project, zone.name)
    await postEvents(user, "run", 11, 10, 9)
    await expect.poll(() => own(user, definition)).toBeDefined()
    await postEvents(user, "run", 7, 6, 5, 4, 3, 2, 1, 0)
    const earned = { current_count: 11, longest_count: 11, freezes_remaining: 2, status: "active" }
    await expect.poll(() => own(user, definition)).toMatchObject(earned)
  })

  it("joins two runs when the day between them comes late", async () => {
    const definition = await aStreak(server.api, project, { qualifying_event: "draw" })
    const user = await aUser(server.api, project, zone.name)
    await postEvents(user, "draw", 4, 3, 1, 0)
    await expect.poll(() => own(user, definition)).toMatchObject({ current_count: 2, longest_count: 2 })
    await postEvents(user, "draw", 2)
    await expect.poll(() => own(user, definition)).toMatchObject({ current_count: 5, longest_count: 5 })
  })

  it("counts a repeated event_id once, by whichever of an app's routes it comes, apart from a developer's [G0.3]", async () => {
    const { api } = server
    const definition = await aStreak(api, project, { qualifying_event: "sing" })
    const user = await aUser(api, project, zone.name)
    const event = { app_user_id: user.id, event_name: "sing", event_id: randomUUID() }
    const post = (body: object) => api.ok("POST", `${project.admin}/events`, project.owner.as, body)
    const track = (body: object) => api.ok("POST", "/client/events", user.as, body)
    expect(await post(event)).toEqual({ inserted: 1, skipped: 0, tracked: 1 })
    expect(await post({ events: [event, event] })).toEqual({ inserted: 0, skipped: 2, tracked: 0 })
    expect(await track(event)).toEqual({ inserted: 1, skipped: 0, tracked: 1 })
    expect(await track({ events: [event, event] })).toEqual({ inserted: 0, skipped: 2, tracked: 0 })
    const { event_id } = event
    const qualify = (body: object) => api.ok("POST", `/client/streaks/${definition}/qualify`, user.as, body)
    await expect.poll(() => own(user, definition)).toMatchObject({ current_count: 1 })
    expect(await qualify({ event_id })).toMatchObject({ current_count: 1 })
    expect(await qualify({})).toMatchObject({ current_count: 1, longest_count: 1 })
    const events = `${project.admin}/users/${user.id}/events`
    expect(await api.ok<ReadonlyArray<object>>("GET", events, project.owner.as)).toHaveLength(3)
  })

  it("refuses a whole batch for one bad event, and names its index", async () => {
    const { api } = server
    const definition = await aStreak(api, project, { qualifying_event: "cook" })
    const another = await aStreak(api, project, { qualifying_event: "hum" })
    const user = await aUser(api, project, zone.name)
    const events = [{ event_name: "cook" }, { event_name: "cook", occurred_at: "yesterday" }]
    const refused = await api.call("POST", "/client/events", user.as, { events })
    expect([refused.status, refused.code]).toEqual([400, "INVALID_OCCURRED_AT"])
    expect(JSON.parse(refused.text).error).toMatchObject({
      message: "events[1].occurred_at must be an ISO-8601 instant with a zone.",
      details: { index: 1, issues: [{ path: "events.1.occurred_at", code: "INVALID_OCCURRED_AT" }] },
    })
    await postEvents(user, "hum", 0)
    await expect.poll(() => own(user, another)).toMatchObject({ current_count: 1 })
    expect(await own(user, definition)).toBeUndefined()
  })

  it("shows why a streak is what it is, to its user and to developers [G10.1]", async () => {
    const { api } = server
    const rules = { qualifying_event: "knit", freeze_enabled: true, max_freezes: 2 }
    const definition = await aStreak(api, project, rules)
    const user = await aUser(api, project, zone.name)
    await postEvents(user, "knit", 4, 3, 1)
    await expect.poll(() => own(user, definition)).toMatchObject({ current_count: 3 })
    const admin = `${project.admin}/users/${user.id}/streaks/${definition}`
    await api.ok("POST", `${admin}/grant-shield`, project.owner.as, { count: 1 })
    const timeline = await api.ok<ReadonlyArray<Record<string, unknown>>>("GET", `${admin}/timeline`, project.owner.as)
    expect(
      timeline.map(({ kind, count_after, freezes_after, count }) => [kind, count_after ?? count, freezes_after]),
    ).toEqual([
      ["open", 3, 2],
      ["granted", 1, undefined],
      ["done", 3, 1],
      ["frozen", 2, 1],
      ["done", 2, 2],
      ["done", 1, 2],
    ])
    expect(timeline[2]).toEqual({
      period: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      starts_at: expect.stringMatching(/Z$/),
      ends_at: expect.stringMatching(/Z$/),
      kind: "done",
      count_after: 3,
      freezes_after: 1,
      reason: expect.stringMatching(/^Done on .*: the streak went on to 3 days\.$/),
      events: [{ id: expect.any(String), occurred_at: expect.stringMatching(/Z$/) }],
    })
    expect(timeline[1]).toEqual({ kind: "granted", at: expect.stringMatching(/Z$/), count: 1 })
    const mine = `/client/streaks/${definition}/timeline`
    expect(await api.ok("GET", mine, user.as)).toEqual(timeline)
    expect(await api.ok("GET", `${mine}?limit=1`, user.as)).toEqual(timeline.slice(0, 1))
    expect(await api.ok("GET", mine, (await aUser(api, project)).as)).toEqual([])
    for (const limit of ["0", "1001", "-1", "1.5", "x", ""]) {
      expect((await api.call("GET", `${mine}?limit=${limit}`, user.as)).code).toBe("INVALID_LIMIT")
      expect((await api.call("GET", `${admin}/timeline?limit=${limit}`, project.owner.as)).code).toBe("INVALID_LIMIT")
    }
    const code = async (path: string) => (await api.call("GET", path, project.owner.as)).code
    const users = `${project.admin}/users`
    expect(await code(`${users}/x/streaks/${definition}/timeline`)).toBe("NOT_FOUND")
    expect(await code(`${users}/${user.id}/streaks/x/timeline`)).toBe("NOT_FOUND")
    expect(await code(`${users}/${user.id}/streaks/${randomUUID()}/timeline`)).toBe("STREAK_DEFINITION_NOT_FOUND")
    expect(await code(`${users}/${randomUUID()}/streaks/${definition}/timeline`)).toBe("USER_STREAK_NOT_FOUND")
    const unknown = await api.call("GET", `/client/streaks/${randomUUID()}/timeline`, user.as)
    expect(unknown).toMatchObject({ status: 404, code: "STREAK_DEFINITION_NOT_FOUND" })
  })

  it("follows a definition that changes, and grants shields up to its cap", async () => {
    const { api } = server
    const definition = await aStreak(api, project, { qualifying_event: "play" })
    const user = await aUser(api, project, zone.name)
    await postEvents(user, "play", 5, 3, 2, 0)
    await expect.poll(() => own(user, definition)).toMatchObject({ current_count: 1, longest_count: 2 })
    const changes = { freeze_enabled: true, max_freezes: 3 }
    await api.ok("PATCH", `${project.admin}/streaks/${definition}`, project.owner.as, changes)
    const folded = { current_count: 4, longest_count: 4, freezes_remaining: 1, status: "active" }
    await expect.poll(() => own(user, definition)).toMatchObject(folded)
    const grant = `${project.admin}/users/${user.id}/streaks/${definition}/grant-shield`
    expect(await api.ok("POST", grant, project.owner.as, { count: 5 })).toMatchObject({ freezes_remaining: 3 })
    await api.ok("DELETE", `${project.admin}/streaks/${definition}`, project.owner.as)
    expect(await own(user, definition)).toBeUndefined()
  })
})
