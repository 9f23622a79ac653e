import { createEngagement } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { aStreakOf, streakWorld } from "./world.ts"

describe("qualifying by a call [D]", () => {
  it("counts at once, and answers the streak as the own view shows it", async () => {
    const { world, qualify, own, definition, userId } = await streakWorld()
    const answer = await qualify()
    expect(answer).toMatchObject({
      app_user_id: userId,
      streak_definition_id: definition.id,
      definition,
      current_count: 1,
      periods: [{ period_start: "2026-03-01", period_end: "2026-03-01", status: "done" }],
    })
    expect(answer).toEqual(await own())
    expect(world.signals.of("events_reacted")).toEqual([])
  })

  it("writes the qualifying event and leaves no outbox entry", async () => {
    const { world, projectId, userId, qualify } = await streakWorld()
    await qualify("e-1")
    const { entries } = await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))
    expect(entries).toBe(0)
    const event = { event_name: "lesson", event_id: "e-1" }
    const repeated = world.core.events.recordOwn(projectId, userId, event)
    expect(await world.run(repeated)).toMatchObject({ inserted: 0, skipped: 1 })
  })

  it("counts a repeated event_id once, also on another day", async () => {
    const { world, qualify } = await streakWorld()
    await qualify("e-1")
    await world.advance("1 day")
    expect(await qualify("e-1")).toMatchObject({ current_count: 1, last_period: "2026-03-01" })
    expect(await qualify("e-2")).toMatchObject({ current_count: 2 })
  })

  it("counts an event_id that belongs to another user, or to a developer's service [G0.3]", async () => {
    const { world, projectId, userId, qualify, definition } = await streakWorld()
    const other = await world.aSignedInUser(projectId)
    const event = { app_user_id: userId, event_name: "other", event_id: "e-1" }
    await world.run(world.core.events.record(projectId, event))
    expect(await qualify("e-1")).toMatchObject({ current_count: 1 })
    const call = world.core.streaks.qualify(projectId, other.userId, definition.id, { event_id: "e-1" })
    expect(await world.run(call)).toMatchObject({ current_count: 1 })
  })

  it("answers a streak that has not begun when another event of the user has the event_id", async () => {
    const { world, projectId, userId, qualify } = await streakWorld({ freeze_enabled: true, max_freezes: 2 })
    await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "other", event_id: "e-1" }))
    expect(await qualify("e-1")).toMatchObject({
      id: null,
      current_count: 0,
      freezes_remaining: 2,
      status: "broken",
      periods: [],
    })
  })

  it("counts for every streak of the same event", async () => {
    const { world, projectId, userId, qualify } = await streakWorld()
    await world.run(world.core.streaks.create(projectId, aStreakOf({ period: "weekly" })))
    await world.run(world.core.streaks.create(projectId, aStreakOf({ qualifying_event: "other" })))
    await qualify()
    const streaks = await world.run(world.core.streaks.own(projectId, userId))
    expect(streaks.map(({ definition }) => definition.period)).toEqual(["daily", "weekly"])
  })

  it("runs the other reactions too", async () => {
    const { world, projectId, userId, qualify } = await streakWorld()
    await world.advance("1 hour")
    await qualify()
    const { last_seen_at } = await world.run(world.core.users.me(projectId, userId))
    expect(last_seen_at).toEqual(new Date("2026-03-01T13:00:00.000Z"))
  })

  it("counts once when eight calls race in two processes", async () => {
    const { world, projectId, userId, definition, own } = await streakWorld()
    const other = createEngagement(world.ports)
    const calls = [1, 2, 3, 4].flatMap(() =>
      [world.core, other].map((core) => core.streaks.qualify(projectId, userId, definition.id, {})),
    )
    await world.run(Effect.all(calls, { concurrency: "unbounded" }))
    expect(await own()).toMatchObject({ current_count: 1, longest_count: 1 })
  })

  it("gives the same result whichever of it and a waiting event is handled first", async () => {
    const { world, projectId, userId, qualify, shown } = await streakWorld()
    const event = { event_name: "lesson", occurred_at: "2026-02-28T12:00:00Z" }
    await world.run(world.core.events.recordOwn(projectId, userId, event))
    expect(await qualify()).toMatchObject({ current_count: 1 })
    await world.runPending()
    expect(await shown()).toBe("active 2 (0)")
  })

  it("is refused for an unknown streak and for a removed user", async () => {
    const { world, projectId, userId, definition } = await streakWorld()
    const qualify = (id: string) => world.run(Effect.flip(world.core.streaks.qualify(projectId, userId, id, {})))
    expect(await qualify(world.ports.ids.uuid())).toMatchObject({ code: "STREAK_DEFINITION_NOT_FOUND" })
    await world.run(world.core.users.remove(projectId, userId))
    expect(await qualify(definition.id)).toMatchObject({ code: "INVALID_TOKEN" })
  })
})
