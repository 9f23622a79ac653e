import { describe, expect, it, vi } from "vitest"
import { useWorld } from "./world.ts"

const send = "POST /client/events"
const me = "GET /client/users/me"
const behind = 26 * 3_600_000

const world = useWorld()
const { aClient } = world
/** By how many hours the events that have arrived are off, by the clock of the service. */
const hoursOff = () =>
  world.service.events.map(
    ({ occurred_at }) =>
      Number(((Date.parse(occurred_at) - Date.now() - world.service.state.skew) / 3_600_000).toFixed(1)) + 0,
  )

describe("an event that is tracked before an answer has told the time", () => {
  it("is set right before it is sent, where somebody is signed in already", async () => {
    await aClient().signInAnonymously()
    world.service.state.skew = 20 * 3_600_000
    const hearth = aClient()
    await hearth.signInAnonymously()
    hearth.track("lesson_completed")
    hearth.track("long_ago", {}, { occurredAt: new Date(Date.now()) })
    await hearth.flush()
    hearth.track("next")
    await hearth.flush()
    expect(hoursOff()).toEqual([0, -20, 0])
    expect(world.service.calls(me)).toHaveLength(1)
    expect(world.service.calls(send)).toHaveLength(2)
  })

  it("is set right by the answer to the sign-in, without a call more", async () => {
    world.service.state.skew = behind
    const hearth = aClient()
    hearth.track("app_opened")
    await hearth.signInAnonymously()
    await hearth.flush()
    expect(hoursOff()).toEqual([0])
    expect(world.service.arrived.map(({ call }) => call)).toEqual(["POST /client/auth/anonymous", send])
  })

  it("waits for the time where there is no network", async () => {
    await aClient().signInAnonymously()
    world.service.state.skew = behind
    const hearth = aClient()
    hearth.track("a")
    world.service.fail(me, "lost", "lost", "lost")
    const flushed = expect(hearth.flush()).rejects.toMatchObject({ code: "NETWORK_ERROR" })
    await vi.advanceTimersByTimeAsync(10_000)
    await flushed
    expect(world.service.events).toHaveLength(1)
    for (const hours of hoursOff()) expect(Math.abs(hours)).toBeLessThan(0.1)
  })

  it("needs no call where a former run has stored it", async () => {
    const before = aClient()
    await before.signInAnonymously()
    world.service.state.isAway = true
    before.track("a")
    await vi.advanceTimersByTimeAsync(1_000)
    before.close()
    world.service.state.isAway = false
    await aClient().flush()
    expect(world.service.events).toHaveLength(1)
    expect(world.service.calls(me)).toHaveLength(0)
  })
})
