import { Exit } from "effect"
import { describe, expect, it } from "vitest"
import { minutes, noon, sessionsWorld } from "./world.ts"

const notOpen = { code: "UPDATE_FAILED", kind: "not_found" }

describe("a tracking session", () => {
  it("is started with what the app says of itself, and writes session_started [H5.1]", async () => {
    const { run, start, events, rows, userId } = await sessionsWorld()
    const app = { platform: "ios", app_version: "1.2", device_model: "iPhone17,1", metadata: { a: [1, null] } }
    const started = await run(start("one", app))
    expect(await rows()).toStrictEqual([started])
    expect(started).toMatchObject({
      ...{ ...app, app_user_id: userId, session_id: "one", started_at: noon, ended_at: null, duration_seconds: 0 },
    })
    const { metadata: _, ...told } = app
    expect(await events()).toEqual([
      { event_name: "session_started", occurred_at: noon, properties: { session_id: "one", ...told } },
    ])
  })

  it("is answered unchanged where it is started again, also after its end, and tells nothing [H5.1]", async () => {
    const { world, run, start, end, events, rows } = await sessionsWorld()
    const started = await run(start("one", { platform: "ios" }))
    world.clock.advance("1 minute")
    expect(await run(start("one", { platform: "web" }))).toStrictEqual(started)
    const ended = await run(end("one"))
    world.clock.advance("1 minute")
    expect(await run(start("one"))).toStrictEqual(ended)
    expect(await rows()).toStrictEqual([ended])
    expect(await events()).toHaveLength(2)
  })

  it("is one for 20 starts at once, with one event [H5.1]", async () => {
    const { start, together, events, rows } = await sessionsWorld()
    const exits = await together(Array.from({ length: 20 }, () => start("one")))
    const [row] = await rows()
    expect(exits).toEqual(Array(20).fill(Exit.succeed(row)))
    expect([(await rows()).length, (await events()).length]).toEqual([1, 1])
  })

  it("has a session_id of its own for each user [H5.1]", async () => {
    const { run, start, end, heartbeat, refusal, user } = await sessionsWorld()
    const other = await user()
    const own = await run(start("one"))
    expect(await refusal(end("one", other))).toMatchObject(notOpen)
    expect(await refusal(heartbeat("one", other))).toMatchObject(notOpen)
    expect((await run(start("one", {}, other))).id).not.toBe(own.id)
  })

  it("is kept open by heartbeats, with the seconds since its start [H5.1]", async () => {
    const { world, run, start, heartbeat, rows, events } = await sessionsWorld()
    await run(start("one", { platform: "ios" }))
    for (const seconds of [1_700, 3_400, 5_100]) {
      world.clock.advance("1700 seconds")
      const beaten = await run(heartbeat("one"))
      expect(beaten).toMatchObject({ platform: "ios", ended_at: null, duration_seconds: seconds, started_at: noon })
      expect(await rows()).toStrictEqual([beaten])
    }
    expect(await events()).toHaveLength(1)
  })

  it("is ended now, once, and writes session_ended [H5.1]", async () => {
    const { world, run, start, end, heartbeat, refusal, events } = await sessionsWorld()
    await run(start("one"))
    world.clock.advance("90500 millis")
    const ended = await run(end("one"))
    expect(ended).toMatchObject({ ended_at: world.clock.now(), duration_seconds: 90 })
    world.clock.advance("1 minute")
    expect(await run(end("one"))).toStrictEqual(ended)
    expect(await refusal(heartbeat("one"))).toMatchObject(notOpen)
    expect((await events()).slice(1)).toEqual([
      {
        event_name: "session_ended",
        ...{ occurred_at: ended.ended_at, properties: { session_id: "one", duration_seconds: 90 } },
      },
    ])
  })

  it("is ended once by many at once, whatever else they do [H5.1]", async () => {
    const { run, start, end, heartbeat, together, events, rows } = await sessionsWorld()
    await run(start("one"))
    const calls = Array.from({ length: 8 }, () => [end("one"), heartbeat("one"), start("one")]).flat()
    const exits = await together<object, { readonly code: string }>(calls)
    for (const exit of exits) if (Exit.isFailure(exit)) expect(String(exit.cause)).toContain("SessionNotOpen")
    expect((await rows()).map(({ ended_at }) => ended_at)).toEqual([noon])
    expect((await events()).map(({ event_name }) => event_name)).toEqual(["session_started", "session_ended"])
  })

  it("is unknown before it is started [H5.1]", async () => {
    const { end, heartbeat, refusal } = await sessionsWorld()
    expect(await refusal(end("one"))).toMatchObject(notOpen)
    expect(await refusal(heartbeat("one"))).toMatchObject(notOpen)
  })

  it("is nobody's whose user is removed: the token is not valid any more", async () => {
    const { world, run, projectId, userId, start, end, refusal } = await sessionsWorld()
    await run(start("one"))
    await run(world.core.users.remove(projectId, userId))
    expect(await refusal(start("two"))).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await refusal(end("one"))).toMatchObject({ code: "INVALID_TOKEN" })
    await world.advance("1 hour")
  })

  it("never lasts less than nothing, when the clock is set back", async () => {
    const { world, run, start, heartbeat, end } = await sessionsWorld()
    await run(start("one"))
    world.clock.set(minutes(10))
    await run(heartbeat("one"))
    world.clock.set(minutes(-60))
    expect(await run(heartbeat("one"))).toMatchObject({ duration_seconds: 600 })
    expect(await run(end("one"))).toMatchObject({ ended_at: minutes(10), duration_seconds: 600 })
  })

  it("counts as activity: last_seen_at follows, and the month's users [G0.4, B12]", async () => {
    const { world, run, projectId, start, user } = await sessionsWorld()
    const other = await user()
    world.clock.advance("40 days")
    await run(start("one", {}, other))
    await world.runPending()
    const found = await run(world.core.users.get(projectId, other))
    expect(found.last_seen_at).toEqual(world.clock.now())
    const april = { since: new Date("2026-04-01T00:00:00Z"), until: new Date("2026-05-01T00:00:00Z") }
    const active = world.tenants.read(projectId, (db) => db.users.countActive(april.since, april.until, 10))
    expect(await run(active)).toBe(1)
  })
})
