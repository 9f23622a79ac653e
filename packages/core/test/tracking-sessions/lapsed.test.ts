import { describe, expect, it } from "vitest"
import { minutes, sessionsWorld } from "./world.ts"

const notOpen = { code: "UPDATE_FAILED", kind: "not_found" }

describe("a session that was not heard of for 30 minutes", () => {
  it("has ended at its last sign of life for every reader, before the background has run [H5.1]", async () => {
    const { world, run, start, heartbeat, figures, bundle, rows } = await sessionsWorld()
    await run(start("one"))
    world.clock.set(minutes(10))
    await run(heartbeat("one"))
    world.clock.set(new Date(minutes(40).getTime() - 1))
    expect(await figures()).toMatchObject({ total_sessions: 1, mean_duration_seconds: 0 })
    expect(await bundle()).toMatchObject([{ data: { ended_at: null } }])
    world.clock.set(minutes(40))
    expect(await figures()).toMatchObject({ mean_duration_seconds: 600, median_duration_seconds: 600 })
    expect(await bundle()).toMatchObject([{ data: { ended_at: minutes(10).toISOString(), duration_seconds: 600 } }])
    expect(await rows()).toMatchObject([{ ended_at: null }])
  })

  it("does not come back by a heartbeat or a start, and keeps its end, which is told once [H5.1]", async () => {
    const { world, run, start, heartbeat, end, refusal, events } = await sessionsWorld()
    await run(start("one"))
    world.clock.set(minutes(10))
    await run(heartbeat("one"))
    world.clock.set(minutes(40))
    expect(await refusal(heartbeat("one"))).toMatchObject(notOpen)
    const ended = await run(end("one"))
    expect(ended).toMatchObject({ ended_at: minutes(10), duration_seconds: 600 })
    expect(await run(end("one"))).toStrictEqual(ended)
    expect(await run(start("one"))).toStrictEqual(ended)
    await world.advance("2 hours")
    expect(await events()).toMatchObject([
      { event_name: "session_started" },
      {
        event_name: "session_ended",
        occurred_at: minutes(10),
        properties: { session_id: "one", duration_seconds: 600 },
      },
    ])
  })

  it("is ended in the background at its time, with one event, though heartbeats had moved it [H5.1]", async () => {
    const { world, run, start, heartbeat, events, rows } = await sessionsWorld()
    await run(start("one"))
    await world.advance("20 minutes")
    await run(heartbeat("one"))
    await world.advance("29 minutes")
    expect(await rows()).toMatchObject([{ ended_at: null }])
    await world.advance("2 minutes")
    expect(await rows()).toMatchObject([{ ended_at: minutes(20), duration_seconds: 1_200 }])
    expect((await events()).map(({ event_name }) => event_name)).toEqual(["session_started", "session_ended"])
    await world.advance("2 hours")
    expect(await events()).toHaveLength(2)
  })

  it("is ended by one of the background and an end at once [H5.1]", async () => {
    const { world, run, start, end, heartbeat, events, rows, together } = await sessionsWorld()
    await run(start("one"))
    world.clock.set(minutes(31))
    await together<unknown, unknown>([world.core.background.poll, end("one"), heartbeat("one"), end("one")])
    expect(await rows()).toMatchObject([{ ended_at: minutes(0), duration_seconds: 0 }])
    expect((await events()).map(({ event_name }) => event_name)).toEqual(["session_started", "session_ended"])
  })

  it("is one of very many: they are ended piece by piece [H5.1]", async () => {
    const { world, run, projectId, start, user, rows, events } = await sessionsWorld()
    const other = await user()
    for (let at = 0; at < 1_100; at += 1) await run(start(`s${at}`))
    await run(start("alive", {}, other))
    world.clock.set(minutes(25))
    await run(world.core.trackingSessions.heartbeat(projectId, other, "alive"))
    world.clock.set(minutes(31))
    await world.runPending()
    expect((await rows()).filter(({ ended_at }) => ended_at === null)).toEqual([])
    expect((await events()).filter(({ event_name }) => event_name === "session_ended")).toHaveLength(1_100)
    expect(await rows(other)).toMatchObject([{ ended_at: null, check_at: minutes(55) }])
  })

  it("is removed with its user while others are ended", async () => {
    const { world, run, projectId, userId, start, user, rows, together } = await sessionsWorld()
    const other = await user()
    await run(start("one"))
    await run(start("two", {}, other))
    world.clock.set(minutes(31))
    await together<unknown, unknown>([world.core.background.poll, world.core.users.remove(projectId, userId)])
    await world.runPending()
    expect(await rows()).toEqual([])
    expect(await rows(other)).toMatchObject([{ ended_at: minutes(0) }])
  })
})
