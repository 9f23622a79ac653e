import type { Failure } from "@hearth/core"
import type { PushCampaign } from "@hearth/core/push"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { campaignWorld } from "./campaign-world.ts"
import { noon } from "./world.ts"

const later = new Date(noon.getTime() + 3_600_000)
const started = { status: "sending", started_at: noon } as const
const ended = { status: "sent", started_at: noon, sent_at: noon } as const

const codes = { send: "SEND_FAILED", update: "RESCHEDULE_FAILED", schedule: "SCHEDULE_FAILED" } as const
type Call = keyof typeof codes
const calls: ReadonlyArray<Call> = ["send", "update", "schedule"]
const cases = calls.flatMap((call) => [started, ended].map((state) => [call, state] as const))

/** The calls that have a campaign started, and what becomes of it. */
const refusedWorld = async () => {
  const world = await campaignWorld()
  const { core, projectId, transact, create } = world
  const { userId } = await world.user()
  const { id } = await create()
  const push = { title: "t", body: "b", fire_at: later.toISOString() }
  const effects: Readonly<Record<Call, Effect.Effect<unknown, Failure>>> = {
    send: core.send(projectId, id),
    update: core.update(projectId, id, { scheduled_at: later.toISOString() }),
    schedule: core.schedule(projectId, userId, push),
  }
  /** The campaign of a call. */
  const find = async (call: Call) => {
    const rows = await transact((db) => db.pushCampaigns.list({}, []))
    return rows.find((row) => (row.scheduled_for !== null) === (call === "schedule"))
  }
  return {
    ...world,
    effects,
    find,
    /** What another process does to the campaign meanwhile. */
    change: async (call: Call, changes: Partial<PushCampaign>) => {
      const row = await find(call)
      await transact((db) => db.pushCampaigns.update(row?.id ?? "", changes))
    },
  }
}

describe("a campaign whose start the queue refuses", () => {
  it.each(calls)("has failed where nobody else has started it (%s)", async (call) => {
    const { effects, whenRefused, refusal } = await refusedWorld()
    whenRefused(() => {})
    expect(await refusal(effects[call])).toMatch(codes[call])
  })

  it.each(cases)("is not answered as failed where another process has begun it: %s, %o", async (call, state) => {
    const { effects, whenRefused, change, find, world } = await refusedWorld()
    whenRefused(() => change(call, state))
    await world.run(effects[call])
    expect(await find(call)).toMatchObject(state)
  })

  it.each(calls)("nor where the database then goes too (%s)", async (call) => {
    const { effects, whenRefused, change, find, world, projectId, setBothDown } = await refusedWorld()
    whenRefused(async () => {
      await change(call, started)
      world.tenants.busy(projectId, true)
    })
    await world.run(effects[call])
    setBothDown(false)
    expect(await find(call)).toMatchObject(started)
  })

  it("is answered as failed where another process has made it so, or removed it", async () => {
    for (const undo of ["failed", "removed"] as const) {
      const { effects, whenRefused, change, transact, refusal } = await refusedWorld()
      whenRefused(() =>
        undo === "failed" ? change("send", { status: "failed" }) : transact((db) => db.pushCampaigns.remove({})),
      )
      expect([undo, await refusal(effects.send)]).toEqual([undo, "internal SEND_FAILED"])
    }
  })

  it.each(calls)("is said to be unknown where nobody knows whether it was made failed (%s)", async (call) => {
    const { effects, whenRefused, loseAnswers, world } = await refusedWorld()
    whenRefused(loseAnswers)
    expect(await world.run(Effect.flip(effects[call]))).toMatchObject({
      code: "TENANT_UNAVAILABLE",
      details: { outcome: "unknown" },
    })
  })

  it.each(calls)("is as it was committed where the database cannot be reached (%s)", async (call) => {
    const { effects, whenRefused, world, projectId, find, setBothDown } = await refusedWorld()
    whenRefused(() => world.tenants.unreachable(projectId, true))
    await world.run(effects[call])
    world.tenants.unreachable(projectId, false)
    setBothDown(false)
    expect((await find(call))?.status).toBe(call === "send" ? "sending" : "scheduled")
  })
})
