import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { aStreakOf } from "../streaks/world.ts"

const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const project = await world.aProjectWithOwner()
  const { projectId, ownerId } = project
  const { userId } = await world.aSignedInUser(projectId)
  const code = <A, E extends { readonly code: string }>(effect: Effect.Effect<A, E>) =>
    world.run(Effect.match(effect, { onFailure: (failure) => failure.code, onSuccess: () => null }))
  return {
    world,
    projectId,
    userId,
    code,
    /** The code with which an app's event is refused; null where it is accepted. */
    track: (body: object, core = world.core) => code(core.events.recordOwn(projectId, userId, body)),
    ingest: (body: object) => code(world.core.events.record(projectId, { app_user_id: userId, ...body })),
    update: (changes: Parameters<typeof world.core.projects.update>[2]) =>
      world.run(world.core.projects.update(projectId, ownerId, changes)),
  }
}

describe("names that apps may not write [G0.1]", () => {
  it.each(["achievement_unlocked", "message_sent", "push_opened", "paywall_shown", "subscription_renewal"])(
    "%s is refused on the client plane, and accepted on the admin plane",
    async (event_name) => {
      const { track, ingest } = await setUp()
      expect(await track({ event_name })).toBe("INVALID_EVENT_NAME")
      expect(await track({ events: [{ event_name: "lesson" }, { event_name }] })).toBe("INVALID_EVENT_NAME")
      expect(await ingest({ event_name })).toBeNull()
    },
  )

  it("are also those of the project's server_events, from the next call here and within a second elsewhere", async () => {
    const { world, track, ingest, update } = await setUp()
    const other = world.otherProcess()
    expect([await track({ event_name: "refund" }), await track({ event_name: "refund" }, other)]).toEqual([null, null])
    await update({ server_events: ["refund"] })
    expect(await track({ event_name: "refund" })).toBe("INVALID_EVENT_NAME")
    await world.advance("1 second")
    expect(await track({ event_name: "refund" }, other)).toBe("INVALID_EVENT_NAME")
    expect(await ingest({ event_name: "refund" })).toBeNull()
    await update({ server_events: [] })
    expect(await track({ event_name: "refund" })).toBeNull()
  })

  it("are looked up once for many calls", async () => {
    let reads = 0
    const world = testWorld({
      ports: ({ control }) => ({
        control: {
          ...control,
          read: (work) => {
            reads += 1
            return control.read(work)
          },
        },
      }),
    })
    const { projectId } = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(projectId)
    await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
    reads = 0
    for (let call = 0; call < 20; call += 1)
      await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
    expect(reads).toBe(0)
  })

  it.each(["xp_awarded", "paywall_shown", "refund"])("qualify no streak by a call: %s", async (qualifying_event) => {
    const { world, projectId, userId, code, update } = await setUp()
    await update({ server_events: ["refund"] })
    const definition = await world.run(world.core.streaks.create(projectId, aStreakOf({ qualifying_event })))
    const qualify = (id: string) => code(world.core.streaks.qualify(projectId, userId, id, { event_id: "e-1" }))
    expect(await qualify(definition.id)).toBe("FORBIDDEN")
    expect(await qualify("0189f7e2-5c3a-7d4b-9f00-0123456789ab")).toBe("STREAK_DEFINITION_NOT_FOUND")
    const { rows } = await world.run(world.core.events.ofUser(projectId, userId, { limit: 10, offset: 0 }))
    expect(rows).toEqual([])
  })
})

describe("how old an app's event may be [G0.2]", () => {
  const hoursAgo = (hours: number, millis = 0) =>
    new Date(Date.parse("2026-03-01T12:00:00.000Z") - hours * 3_600_000 - millis).toISOString()

  it("is 30 days where the project says nothing, and without a bound on the admin plane", async () => {
    const { track, ingest } = await setUp()
    expect(await track({ event_name: "lesson", occurred_at: hoursAgo(720) })).toBeNull()
    expect(await track({ event_name: "lesson", occurred_at: hoursAgo(720, 1) })).toBe("INVALID_OCCURRED_AT")
    expect(await ingest({ event_name: "lesson", occurred_at: "1999-12-31T00:00:00Z" })).toBeNull()
  })

  it("is what the project says", async () => {
    const { track, update } = await setUp()
    await update({ client_backdate_hours: 1 })
    expect(await track({ event_name: "lesson", occurred_at: hoursAgo(1) })).toBeNull()
    expect(await track({ event_name: "lesson", occurred_at: hoursAgo(1, 1) })).toBe("INVALID_OCCURRED_AT")
  })
})
