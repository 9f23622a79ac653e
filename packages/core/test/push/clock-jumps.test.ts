import type { PushOutcome } from "@hearth/core/push"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { noon, pushWorld } from "./world.ts"

const sent: PushOutcome = { kind: "sent", provider_message_id: null }
const hour = 3_600_000
const at = (millis: number) => new Date(noon.getTime() + millis)
const local = { delivery_mode: "local_time", local_date: "2026-03-01" } as const

/** A campaign at 14:00 in UTC, at 15:00 in New York (five hours later), and users in both. */
const inTwoZones = async () => {
  const base = await pushWorld()
  const users = [await base.user([{}], { timezone: "UTC" }), await base.user([{}], { timezone: "America/New_York" })]
  const scheduled = { status: "scheduled", scheduled_at: at(2 * hour) } as const
  const row = await base.campaign({ ...local, local_time: "14:00:00", ...scheduled })
  const sends = () =>
    users.map(({ tokens }) => base.gateway.pushes.filter(({ message }) => message.token === tokens[0]?.token).length)
  return { ...base, row, sends }
}

describe("a campaign in local time while the clock jumps", () => {
  it("forward past a group: the group is sent when that is seen, once", async () => {
    const { world, row, read, sends } = await inTwoZones()
    await world.advance("2 hours")
    expect([sends(), await read(row)]).toMatchObject([[1, 0], { status: "sending" }])
    world.clock.set(at(20 * hour))
    await world.advance("2 minutes")
    expect([sends(), await read(row)]).toMatchObject([[1, 1], { status: "sent" }])
  })

  it("forward past its beginning by too much: those who are late are skipped", async () => {
    const { world, row, read, sends, states } = await inTwoZones()
    world.clock.set(at(5 * hour))
    await world.advance("3 hours")
    expect([sends(), await states(row), await read(row)]).toMatchObject([
      ...[[0, 1], { sent: 1, skipped: 1 }, { status: "sent" }],
    ])
  })

  it("back before its beginning: nothing is sent before its time, and nothing twice", async () => {
    const { world, row, read, sends } = await inTwoZones()
    await world.advance("1 hour")
    world.clock.set(at(-12 * hour))
    await world.advance("13 hours")
    expect([sends(), await read(row)]).toMatchObject([[0, 0], { status: "scheduled" }])
    await world.advance("1 hour")
    expect(sends()).toEqual([1, 0])
    world.clock.set(at(0))
    await world.advance("4 hours")
    expect([sends(), await read(row)]).toMatchObject([[1, 0], { status: "sending" }])
    await world.advance("3 hours")
    expect([sends(), await read(row)]).toMatchObject([[1, 1], { status: "sent" }])
  })
})

describe("a campaign that is being sent while the clock jumps", () => {
  test.each([
    ["back", -12 * hour],
    ["forward", 12 * hour],
  ])("%s during a call of the provider: its results are written, and nothing is sent twice", async (_, by) => {
    const { world, gateway, user, campaign, send, read, states } = await pushWorld()
    for (let users = 0; users < 120; users += 1) await user()
    gateway.answerWith(() => Effect.sync(() => world.clock.set(at(by))).pipe(Effect.as(sent)))
    const row = await campaign()
    await send(row)
    await world.advance("13 hours")
    expect([await states(row), await read(row)]).toMatchObject([{ sent: 120 }, { status: "sent" }])
    expect(new Set(gateway.pushes.map(({ message }) => message.token)).size).toBe(gateway.pushes.length)
    expect(gateway.pushes).toHaveLength(120)
  })

  it("back after its process has died: what was claimed is unknown, once two minutes are over by that clock", async () => {
    const { world, gateway, user, campaign, send, read, states } = await pushWorld()
    const { tokens } = await user()
    gateway.answer(tokens[0]?.token as string, Effect.die(new Error("The process was killed.")))
    const row = await campaign()
    await send(row, { allowDeaths: true })
    world.clock.set(at(-hour))
    await world.advance("1 hour")
    expect([await states(row), await read(row)]).toMatchObject([{ claimed: 1 }, { status: "sending" }])
    await world.advance("5 minutes")
    expect([await states(row), await read(row), gateway.pushes.length]).toMatchObject([
      ...[{ unknown: 1 }, { status: "sent" }, 1],
    ])
  })
})

describe("a campaign in local time where the clocks change", () => {
  test.each([
    ["a time that is skipped is later by what is skipped", "2026-03-29", "2026-03-29T01:30:00.000Z"],
    ["of a time that is shown twice it is the first", "2026-10-25", "2026-10-25T00:30:00.000Z"],
  ])("%s", async (_, local_date, instant) => {
    const { world, gateway, projectId, user } = await pushWorld({ startAt: new Date(`${local_date}T00:00:00Z`) })
    await user([{}], { timezone: "Europe/Berlin" })
    const given = { title: "Sale!", body: "Cheap.", delivery_mode: "local_time", local_date, local_time: "02:30" }
    const made = await world.run(world.core.pushCampaigns.create(projectId, given))
    expect(made.scheduled_at).toEqual(new Date(instant))
    await world.advance("1 day")
    expect(gateway.pushes.map((push) => push.at.toISOString())).toEqual([instant])
  })
})
