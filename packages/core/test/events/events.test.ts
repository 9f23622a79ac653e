import { createEngagement } from "@hearth/core"
import { drainOutbox, type TestWorld, testWorld } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"

const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  return {
    world,
    projectId,
    userId,
    ingest: (body: unknown) => world.run(world.core.events.record(projectId, body)),
    track: (body: unknown) => world.run(world.core.events.recordOwn(projectId, userId, body)),
    refused: (body: unknown) => world.run(Effect.flip(world.core.events.record(projectId, body))),
    waiting: async () =>
      (await world.run(world.tenants.transact(projectId, drainOutbox))).map(({ event_name }) => event_name),
  }
}

const counts = (inserted: number, skipped: number) => ({ inserted, skipped, tracked: inserted })

describe("ingest [E1]", () => {
  it("accepts one event, or a batch, in order", async () => {
    const { userId, ingest, waiting } = await setUp()
    expect(await ingest({ app_user_id: userId, event_name: "a" })).toEqual(counts(1, 0))
    const events = ["b", "c", "d"].map((event_name) => ({ app_user_id: userId, event_name }))
    expect(await ingest({ events })).toEqual(counts(3, 0))
    expect(await waiting()).toEqual(["a", "b", "c", "d"])
  })

  it("accepts an event_id once, within a call and across calls", async () => {
    const { userId, ingest, waiting } = await setUp()
    const event = (event_name: string, event_id: string) => ({ app_user_id: userId, event_name, event_id })
    expect(await ingest({ events: [event("a", "1"), event("b", "1"), event("c", "2")] })).toEqual(counts(2, 1))
    expect(await ingest({ events: [event("d", "2"), event("e", "3")] })).toEqual(counts(1, 1))
    expect(await ingest(event("f", "3"))).toEqual(counts(0, 1))
    expect(await waiting()).toEqual(["a", "c", "e"])
  })

  it("accepts an event_id once when five calls race", async () => {
    const { world, projectId, userId, waiting } = await setUp()
    const event = { app_user_id: userId, event_name: "a", event_id: "1" }
    const calls = Array.from({ length: 5 }, () => world.core.events.record(projectId, event))
    const answers = await world.run(Effect.all(calls, { concurrency: "unbounded" }))
    expect(answers.map(({ inserted }) => inserted).toSorted()).toEqual([0, 0, 0, 0, 1])
    expect(await waiting()).toEqual(["a"])
  })

  it("accepts the same event_id in every project, and repeated events without one", async () => {
    const { world, userId, ingest } = await setUp()
    const other = await world.aProjectWithOwner()
    const them = await world.aSignedInUser(other.projectId)
    const event = (app_user_id: string) => ({ app_user_id, event_name: "a", event_id: "1" })
    expect(await ingest(event(userId))).toEqual(counts(1, 0))
    expect(await world.run(world.core.events.record(other.projectId, event(them.userId)))).toEqual(counts(1, 0))
    const anonymous = { app_user_id: userId, event_name: "a" }
    expect(await ingest({ events: [anonymous, anonymous] })).toEqual(counts(2, 0))
  })

  it("writes all of a batch or nothing", async () => {
    const { userId, refused, waiting } = await setUp()
    const event = { app_user_id: userId, event_name: "a" }
    const nobody = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"
    expect(await refused({ events: [event, { ...event, event_name: "" }] })).toMatchObject({
      code: "INVALID_EVENT_NAME",
      details: { index: 1 },
    })
    const unknown = { ...event, app_user_id: nobody }
    const message = "must be the id of a user of this project"
    expect(await refused({ events: [event, event, unknown, event, unknown] })).toMatchObject({
      code: "INVALID_APP_USER_ID",
      message: `events[2].app_user_id ${message}; events[4].app_user_id ${message}.`,
      details: { index: 2, issues: [{ path: "events.2.app_user_id" }, { path: "events.4.app_user_id" }] },
    })
    expect(await waiting()).toEqual([])
  })

  it("refuses users of another project", async () => {
    const { world, userId, refused } = await setUp()
    const other = await world.aProjectWithOwner()
    const them = await world.aSignedInUser(other.projectId)
    expect(await refused({ app_user_id: them.userId, event_name: "a" })).toMatchObject({
      code: "INVALID_APP_USER_ID",
      details: { index: 0 },
    })
    const ours = world.core.events.record(other.projectId, { app_user_id: userId, event_name: "a" })
    expect(await world.run(Effect.flip(ours))).toMatchObject({ code: "INVALID_APP_USER_ID" })
  })

  it("accepts 500 events of a developer and 100 of an app in one call", async () => {
    const { userId, ingest, track, world, projectId, refused } = await setUp()
    const events = (count: number) => Array(count).fill({ app_user_id: userId, event_name: "a" })
    expect(await ingest({ events: events(500) })).toEqual(counts(500, 0))
    expect(await refused({ events: events(501) })).toMatchObject({
      code: "BATCH_TOO_LARGE",
      kind: "too_large",
      details: { limit: 500, supplied: 501 },
    })
    expect(await track({ events: events(100) })).toEqual(counts(100, 0))
    const tooMany = world.core.events.recordOwn(projectId, userId, { events: events(101) })
    expect(await world.run(Effect.flip(tooMany))).toMatchObject({ details: { limit: 100, supplied: 101 } })
  })

  it("refuses events more than 24 hours ahead", async () => {
    const { userId, ingest, refused } = await setUp()
    const event = (occurred_at: string) => ({ app_user_id: userId, event_name: "a", occurred_at })
    expect(await ingest(event("2026-03-02T12:00:00.000Z"))).toEqual(counts(1, 0))
    expect(await refused(event("2026-03-02T12:00:00.001Z"))).toMatchObject({ code: "INVALID_OCCURRED_AT" })
  })

  it("records an app's events for its own user, whatever user they name", async () => {
    const { world, projectId, userId, track } = await setUp()
    const other = await world.aSignedInUser(projectId)
    await track({ app_user_id: other.userId, event_name: "a" })
    const events = await world.run(world.tenants.transact(projectId, drainOutbox))
    expect(events.map((event) => event.app_user_id)).toEqual([userId])
  })

  it("refuses events of a removed user whose session is still cached as live", async () => {
    const { world, projectId, userId, waiting } = await setUp()
    await world.run(world.core.users.remove(projectId, userId))
    const call = world.core.events.recordOwn(projectId, userId, { event_name: "a" })
    expect(await world.run(Effect.flip(call))).toMatchObject({ code: "INVALID_TOKEN", kind: "unauthenticated" })
    expect(await waiting()).toEqual([])
  })

  it("fails with TENANT_UNAVAILABLE when the database cannot be reached, and writes nothing", async () => {
    const { world, projectId, userId, refused, waiting } = await setUp()
    world.tenants.unreachable(projectId, true)
    expect(await refused({ app_user_id: userId, event_name: "a" })).toMatchObject({ code: "TENANT_UNAVAILABLE" })
    world.tenants.unreachable(projectId, false)
    expect(await waiting()).toEqual([])
  })
})

describe("marking a project as pending", () => {
  const worldThatCountsMarks = async () => {
    let marks = 0
    const world: TestWorld = testWorld({
      ports: ({ control }) => ({
        control: {
          ...control,
          transact: (work) =>
            control.transact((db) =>
              work({
                ...db,
                jobs: {
                  ...db.jobs,
                  markPending: (projectId, job, at, now) => {
                    marks += 1
                    return db.jobs.markPending(projectId, job, at, now)
                  },
                },
              }),
            ),
        },
      }),
    })
    const { projectId } = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(projectId)
    const track = () => world.run(world.core.events.recordOwn(projectId, userId, { event_name: "a" }))
    return { world, track, marks: () => marks, projectId }
  }

  it("is done once a minute, not once per event", async () => {
    const { world, track, marks } = await worldThatCountsMarks()
    const before = marks()
    for (let times = 0; times < 20; times += 1) await track()
    expect(marks() - before).toBe(1)
    world.clock.advance("1 minute")
    await track()
    expect(marks() - before).toBe(2)
  })

  it("is done also after the clock was set back", async () => {
    const { world, track, marks } = await worldThatCountsMarks()
    await track()
    const before = marks()
    world.clock.advance("-1 hour")
    await track()
    expect(marks() - before).toBe(1)
  })

  it("fails the ingest when it fails: no event is accepted that would not be handled", async () => {
    const { world, userId, projectId, waiting } = await setUp()
    const control = { ...world.control, transact: () => Effect.die("no control plane") }
    const core = createEngagement({ ...world.ports, control })
    const exit = await world.run(Effect.exit(core.events.recordOwn(projectId, userId, { event_name: "a" })))
    expect(Exit.hasDies(exit)).toBe(true)
    expect(await waiting()).toEqual([])
  })
})
