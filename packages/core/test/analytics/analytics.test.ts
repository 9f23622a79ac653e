import { createEngagement } from "@hearth/core"
import { analyticsWork } from "@hearth/core/analytics"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

// A Wednesday.
const startAt = "2026-03-04T12:00:00.000Z"

const analyticsWorld = async () => {
  const world = testWorld({ startAt })
  const { core, run } = world
  const { projectId } = await world.aProjectWithOwner()
  const user = async () => (await world.aSignedInUser(projectId)).userId
  const record = (app_user_id: string, event_name: string, occurred_at: string) =>
    run(core.events.record(projectId, { app_user_id, event_name, occurred_at }))
  return {
    ...{ world, core, run, projectId, user, record },
    start: (userId: string, session_id: string) =>
      run(
        core.trackingSessions.start(projectId, userId, {
          ...{ session_id, platform: "ios", app_version: null, device_model: null, metadata: {} },
        }),
      ),
    overview: (query: { readonly since?: string; readonly until?: string } = {}) =>
      run(
        core.analytics.overview(
          projectId,
          Object.fromEntries(Object.entries(query).map(([key, at]) => [key, new Date(at)])),
        ),
      ),
    retention: (weeks = 8) => run(core.analytics.retention(projectId, weeks)),
  }
}

describe("activity of users", () => {
  it("is a tracking session at once, and an event once it is handled [G0.4, H5.3]", async () => {
    const { world, user, start, record, overview } = await analyticsWorld()
    const [ada, bob] = [await user(), await user()]
    await start(ada, "one")
    await record(bob, "lesson", "2026-03-03T23:59:59.999Z")
    expect(await overview()).toMatchObject({ dau: [{ date: "2026-03-04", users: 1 }], mau: 1 })
    await world.runPending()
    expect(await overview()).toMatchObject({
      dau: [
        { date: "2026-03-03", users: 1 },
        { date: "2026-03-04", users: 1 },
      ],
      ...{ wau: 2, mau: 2 },
    })
  })

  it("is no event that the platform writes of itself, and none of subscriptions [G0.4]", async () => {
    const { world, user, record, overview } = await analyticsWorld()
    const ada = await user()
    for (const name of ["session_ended", "xp_awarded", "subscription_renewal", "push_sent"])
      await record(ada, name, startAt)
    await world.runPending()
    expect(await overview()).toMatchObject({ dau: [], wau: 0, mau: 0, stickiness: 0 })
    await record(ada, "push_opened", startAt)
    await world.runPending()
    expect(await overview()).toMatchObject({ wau: 1, mau: 1 })
  })

  it("of late events counts for their day, and of removed users not at all", async () => {
    const { world, core, run, projectId, user, record, overview } = await analyticsWorld()
    const ada = await user()
    await record(ada, "lesson", "2026-02-20T12:00:00Z")
    await world.runPending()
    await record(ada, "lesson", "2026-02-19T12:00:00Z")
    await world.runPending()
    expect((await overview()).dau.map(({ date }) => date)).toEqual(["2026-02-19", "2026-02-20"])
    await run(core.users.remove(projectId, ada))
    expect((await overview()).dau).toEqual([])
  })

  it("of events from before is noted in a project that comes to it, in slices [H5.3]", async () => {
    const { world, run, projectId, user, record, overview } = await analyticsWorld()
    const ada = await user()
    for (const day of ["01", "02", "03"]) await record(ada, "lesson", `2026-03-${day}T12:00:00Z`)
    await world.runPending()
    // As a release without active days has left the project: its events are handled, and nothing is noted of them.
    const rebuild = analyticsWork.handlers?.["analytics.rebuild"]
    if (rebuild === undefined) throw new Error("There is a rebuild.")
    const other = await user()
    const events = ["04", "05"].map((day) => ({
      ...{ id: world.ports.ids.uuid(), app_user_id: other, event_name: "lesson", properties: {}, external_id: null },
      occurred_at: new Date(`2026-02-${day}T12:00:00Z`),
    }))
    await run(world.tenants.read(projectId, (db) => db.events.insert(events, { enqueue: false })))
    expect((await overview()).dau).toHaveLength(3)
    expect(await run(world.tenants.transact(projectId, (db) => rebuild(db, {})))).toBeNull()
    expect((await overview()).dau.map(({ date }) => date)).toEqual([
      ...["2026-02-04", "2026-02-05", "2026-03-01", "2026-03-02", "2026-03-03"],
    ])
  })
})

describe("the overview [H5.3]", () => {
  it("is zeros and empty lists in a new project", async () => {
    const { overview } = await analyticsWorld()
    expect(await overview()).toEqual({ dau: [], wau: 0, mau: 0, new_users: [], stickiness: 0 })
  })

  it("has the 7 and the 30 UTC days up to until, whatever since is", async () => {
    const { world, user, record, overview } = await analyticsWorld()
    const [ada, bob, cyd] = [await user(), await user(), await user()]
    await record(ada, "lesson", "2026-02-26T00:00:00Z")
    await record(bob, "lesson", "2026-02-25T23:59:59Z")
    await record(cyd, "lesson", "2026-02-03T00:00:00Z")
    await record(cyd, "lesson", "2026-02-02T23:59:59Z")
    await world.runPending()
    const until = "2026-03-05T00:00:00Z"
    expect(await overview({ until })).toMatchObject({ wau: 1, mau: 3 })
    expect(await overview({ since: "2026-03-01T00:00:00Z", until })).toMatchObject({ dau: [], wau: 1, mau: 3 })
    expect(await overview({ until: "2026-03-05T00:00:00.001Z" })).toMatchObject({ wau: 0, mau: 2 })
    expect(await overview({ until: "2026-03-04T00:00:00Z" })).toMatchObject({ wau: 2, mau: 3 })
  })

  it("has the stickiness of those 30 days: the sum of their users by 30, by the users of the month", async () => {
    const { world, user, record, overview } = await analyticsWorld()
    const [ada, bob] = [await user(), await user()]
    for (const day of ["2026-02-10", "2026-02-11", "2026-02-12"]) await record(ada, "lesson", `${day}T12:00:00Z`)
    await record(bob, "lesson", "2026-02-12T12:00:00Z")
    await world.runPending()
    const { stickiness, mau } = await overview({ since: "2026-03-01T00:00:00Z" })
    expect([mau, stickiness]).toEqual([2, 4 / 30 / 2])
  })

  it("is 1 where everybody was there on every day", async () => {
    const { world, user, record, overview } = await analyticsWorld()
    const ada = await user()
    for (let day = 0; day < 30; day += 1)
      await record(ada, "lesson", new Date(Date.parse(startAt) - day * 86_400_000).toISOString())
    await world.runPending()
    expect(await overview()).toMatchObject({ mau: 1, wau: 1, stickiness: 1 })
    expect((await overview()).dau).toHaveLength(30)
  })

  it("has new users of the range, to the millisecond [A12]", async () => {
    const { world, user, overview } = await analyticsWorld()
    await user()
    world.clock.advance("1 day")
    await user()
    await user()
    expect((await overview({ since: startAt, until: "2026-03-05T12:00:00.001Z" })).new_users).toEqual([
      { date: "2026-03-04", users: 1 },
      { date: "2026-03-05", users: 2 },
    ])
    const rest = await overview({ since: "2026-03-04T12:00:00.001Z", until: "2026-03-05T12:00:00.000Z" })
    expect(rest.new_users).toEqual([])
  })
})

describe("retention [H5.3]", () => {
  it("has every week up to the present one, with the weeks after it", async () => {
    const { world, user, start, retention } = await analyticsWorld()
    const [ada, bob] = [await user(), await user()]
    await start(ada, "one")
    world.clock.advance("7 days")
    const cyd = await user()
    await start(ada, "two")
    await start(bob, "two")
    await start(cyd, "two")
    world.clock.advance("7 days")
    await start(cyd, "three")
    expect((await retention(4)).cohorts).toEqual([
      { week: "2026-02-23", users: 0, retained: [0, 0, 0, 0] },
      { week: "2026-03-02", users: 2, retained: [1, 2, 0] },
      { week: "2026-03-09", users: 1, retained: [1, 1] },
      { week: "2026-03-16", users: 0, retained: [0] },
    ])
    expect((await retention(1)).cohorts).toEqual([{ week: "2026-03-16", users: 0, retained: [0] }])
  })

  it("leaves out what is dated after the present week", async () => {
    const { world, user, record, retention } = await analyticsWorld()
    world.clock.set(new Date("2026-03-08T23:00:00Z"))
    await record(await user(), "lesson", "2026-03-09T10:00:00Z")
    await world.runPending()
    expect((await retention(1)).cohorts).toEqual([{ week: "2026-03-02", users: 1, retained: [0] }])
  })
})

describe("figures by hour", () => {
  it("are of the last 24 hours, or of at most 7 days, handled or not", async () => {
    const { core, run, projectId, user, record } = await analyticsWorld()
    const ada = await user()
    for (const at of ["2026-03-03T11:59:59.999Z", "2026-03-03T12:00:00.000Z", "2026-03-04T11:30:00.000Z"])
      await record(ada, "lesson", at)
    const hours = async (since?: string) => {
      const found = await run(core.analytics.hours(projectId, since === undefined ? {} : { since: new Date(since) }))
      return found.hours.map(({ hour }) => hour.toISOString())
    }
    expect(await hours()).toEqual(["2026-03-03T12:00:00.000Z", "2026-03-04T11:00:00.000Z"])
    expect(await hours("2026-02-25T12:00:00.000Z")).toHaveLength(3)
    const refused = await run(
      Effect.flip(core.analytics.hours(projectId, { since: new Date("2026-02-25T11:58:59.000Z") })),
    )
    expect(refused).toMatchObject({
      ...{ code: "RANGE_TOO_LARGE", message: "At most 7 days can be asked for in one call." },
      details: { max_days: 7, requested_days: 8 },
    })
  })
})

describe("figures", () => {
  it("of one project are made two at a time, so that they do not take its connections", async () => {
    const { world, projectId } = await analyticsWorld()
    let [running, most] = [0, 0]
    const tenants = {
      ...world.tenants,
      read: ((id, work) =>
        Effect.gen(function* () {
          running += 1
          most = Math.max(most, running)
          yield* Effect.yieldNow
          const answer = yield* world.tenants.read(id, work)
          running -= 1
          return answer
        })) as typeof world.tenants.read,
    }
    const core = createEngagement({ ...world.ports, tenants })
    await world.run(
      Effect.all(
        Array.from({ length: 10 }, () => core.analytics.sessions(projectId, {})),
        { concurrency: "unbounded" },
      ),
    )
    expect(most).toBe(2)
  })
})
