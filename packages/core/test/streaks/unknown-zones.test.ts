import { anEvent } from "@hearth/testing"
import { Effect, Option } from "effect"
import { describe, expect, it, test } from "vitest"
import { aStreakOf, streakWorld } from "./world.ts"

const strange = [
  ["no place of the earth", "Mars/Olympus"],
  ["an abbreviation that the runtime reads as Dhaka", "BST"],
  ["an offset", "+02:00"],
  ["nothing", ""],
  ["a line break", "Europe/Berlin\nx"],
  ["a path", "../etc/passwd"],
  ["a long name", `Europe/${"x".repeat(5_000)}`],
] as const

/** A user whose zone this runtime does not know, another in Tokyo, and one without a zone, all with a streak. */
const worldWith = async (timezone: string) => {
  const made = await streakWorld({}, { timezone: "Asia/Tokyo" })
  const { world, projectId, userId: tokyo, definition } = made
  const [{ userId: lost }, { userId: utc }] = [
    await world.aSignedInUser(projectId),
    await world.aSignedInUser(projectId),
  ]
  await world.run(world.tenants.transact(projectId, (db) => Effect.orDie(db.users.update(lost, { timezone }))))
  const record = async (occurred_at: string) => {
    const events = [lost, tokyo, utc].map((app_user_id) => ({ app_user_id, event_name: "lesson", occurred_at }))
    await world.run(world.core.events.record(projectId, { events }))
    await world.runPending()
  }
  const shown = async (userId: string) => {
    const [streak] = await world.run(world.core.streaks.own(projectId, userId))
    return streak === undefined ? null : `${streak.status} ${streak.current_count} ${streak.periods[0]?.period_start}`
  }
  const stored = (id: string) =>
    world.run(world.tenants.read(projectId, (db) => Effect.map(db.users.find({ id }), Option.getOrNull)))
  const dead = () => world.run(world.core.deadLetters.list(projectId, { limit: 10, offset: 0 }))
  return { world, projectId, definition, lost, tokyo, utc, record, shown, stored, dead }
}

describe("a user whose zone this runtime does not know", () => {
  test.each(strange)("is in UTC, and the others of the batch are counted: %s", async (_, timezone) => {
    const { world, lost, tokyo, utc, record, shown, dead } = await worldWith(timezone)
    // 20:00 in UTC is the next day in Tokyo.
    await record("2026-02-28T20:00:00Z")
    await record("2026-03-01T11:00:00Z")
    expect(await shown(lost)).toBe("active 2 2026-03-01")
    expect(await shown(utc)).toBe("active 2 2026-03-01")
    expect(await shown(tokyo)).toBe("active 1 2026-03-01")
    expect((await dead()).total).toBe(0)
    expect(world.deaths).toEqual([])
    await world.advance("3 days")
    expect([await shown(lost), await shown(tokyo)]).toEqual(["broken 0 2026-03-04", "broken 0 2026-03-04"])
    for (const name of ["task_failed", "processing_failed", "event_set_aside"] as const)
      expect(world.signals.of(name)).toEqual([])
  })

  it("is signalled once, with a name that is not too long for a line of a log", async () => {
    const { world, record } = await worldWith("Mars/Olympus")
    await record("2026-03-01T11:00:00Z")
    await record("2026-03-01T11:30:00Z")
    expect(world.signals.of("unknown_time_zone")).toEqual([{ name: "unknown_time_zone", zone: "Mars/Olympus" }])
    const long = await worldWith(`Mars/${"x".repeat(500)}`)
    await long.record("2026-03-01T11:00:00Z")
    expect(long.world.signals.of("unknown_time_zone").map(({ zone }) => zone.length)).toEqual([64])
  })

  it("can be read, changed, put into segments, qualified, rebuilt and removed", async () => {
    const { world, projectId, definition, lost, record, shown, stored } = await worldWith("Mars/Olympus")
    const { core, run } = world
    await record("2026-03-01T11:00:00Z")
    expect(await run(core.users.me(projectId, lost))).toMatchObject({ timezone: "Mars/Olympus" })
    expect(await run(core.users.get(projectId, lost))).toMatchObject({ timezone: "Mars/Olympus" })
    expect(await run(core.users.list(projectId, { limit: 10, offset: 0 }))).toMatchObject({ total: 3 })
    await run(core.users.update(projectId, lost, { display_name: "Lost" }))
    expect(await stored(lost)).toMatchObject({ display_name: "Lost", timezone: "Mars/Olympus" })

    const rules = {
      operator: "AND",
      conditions: [{ field: `streaks.${definition.id}.current_count`, op: "gte", value: 1 }],
    }
    const segment = await run(core.segments.create(projectId, { name: "Keen", description: null, rules }))
    await world.runPending()
    expect(await run(core.segments.get(projectId, segment.id))).toMatchObject({ user_count: 3 })
    expect(await run(core.segments.explain(projectId, segment.id, lost))).toMatchObject({ is_member: true })
    expect(await run(core.segments.preview(projectId, rules))).toMatchObject({ user_count: 3 })

    world.clock.advance("1 day")
    await run(core.streaks.qualify(projectId, lost, definition.id, {}))
    expect(await shown(lost)).toBe("active 2 2026-03-02")
    await run(core.streaks.update(projectId, definition.id, { period: "weekly" }))
    await world.runPending()
    expect(await run(core.streaks.own(projectId, lost))).toMatchObject([{ status: "active" }])

    await run(core.users.remove(projectId, lost))
    expect(await stored(lost)).toBeNull()
  })

  it("gets out of it by a known zone, and into it by none", async () => {
    const { world, projectId, lost, record, stored } = await worldWith("Mars/Olympus")
    await record("2026-03-01T11:00:00Z")
    const update = (timezone: string) => world.run(Effect.flip(world.core.users.update(projectId, lost, { timezone })))
    for (const [, name] of strange) expect(await update(name)).toMatchObject({ code: "INVALID_TIMEZONE" })
    await world.run(world.core.users.update(projectId, lost, { timezone: "Europe/Berlin" }))
    expect(await stored(lost)).toMatchObject({ timezone: "Europe/Berlin" })
  })

  it("does not keep others' streaks from being created", async () => {
    const { world, projectId, lost, tokyo } = await worldWith("Mars/Olympus")
    await world.run(world.core.streaks.create(projectId, aStreakOf({ qualifying_event: "walk" })))
    const events = [lost, tokyo].map((app_user_id) => anEvent({ app_user_id, event_name: "walk" }))
    await world.run(world.tenants.transact(projectId, (db) => db.events.insert(events, { enqueue: true })))
    await world.runPending()
    expect(world.deaths).toEqual([])
  })
})
