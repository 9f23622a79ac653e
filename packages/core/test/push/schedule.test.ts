import { anId } from "@hearth/testing"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { campaignWorld } from "./campaign-world.ts"
import { noon } from "./world.ts"

const fire_at = new Date(noon.getTime() + 3_600_000).toISOString()
const given = { fire_at, title: "Hi {{display_name}}", body: "There" }

const scheduleWorld = async () => {
  const base = await campaignWorld()
  const { world, projectId, transact } = base
  const ada = await base.user()
  await base.user()
  const { schedule } = world.core.pushCampaigns
  return {
    ...base,
    ...{ userId: ada.userId, token: ada.tokens[0]?.token },
    schedule: (user = ada.userId, body: unknown = given) => world.run(schedule(projectId, user, body)),
    scheduling: (user = ada.userId, body: unknown = given) => schedule(projectId, user, body),
    segment: (id: string) => transact((db) => Effect.map(db.segments.find({ id }), Option.getOrNull)),
    campaigns: () => transact((db) => db.pushCampaigns.list({}, [])),
    members: (segment_id: string) =>
      world.run(
        world.core.users
          .list(projectId, { segment_id, limit: 10, offset: 0 })
          .pipe(Effect.map(({ rows }) => rows.map(({ id }) => id))),
      ),
  }
}

describe("a push-schedule", () => {
  it("is a campaign of its own for a segment of its own, with that user alone", async () => {
    const { schedule, segment, read, members, userId, world, gateway, token } = await scheduleWorld()
    const { campaign_id, segment_id, ...rest } = await schedule(userId, { ...given, data: { a: 1 } })
    expect(rest).toEqual({ fire_at: new Date(fire_at) })
    expect(await segment(segment_id)).toMatchObject({
      ...{ name: `__user_${userId}_${campaign_id}`, is_system: true, rules: { system: true }, user_count: 1 },
      campaign_id,
    })
    expect(await members(segment_id)).toEqual([userId])
    expect(await read({ id: campaign_id })).toMatchObject({
      ...{ status: "scheduled", scheduled_at: new Date(fire_at), segment_id, title: given.title, data: { a: 1 } },
      ...{ name: given.title, delivery_mode: "absolute", scheduled_for: userId },
    })
    await world.advance("1 hour")
    expect(gateway.pushes.map(({ message }) => message.token)).toEqual([token])
    expect(await read({ id: campaign_id })).toMatchObject({ status: "sent" })
  })

  it("is made again by another call, each with its own segment", async () => {
    const { schedule, campaigns, gateway, world } = await scheduleWorld()
    const [one, two] = await Promise.all([schedule(), schedule()])
    expect([one.segment_id === two.segment_id, (await campaigns()).length]).toEqual([false, 2])
    await world.advance("1 hour")
    expect(gateway.pushes).toHaveLength(2)
  })

  it("can be for the last second of the calendar", async () => {
    const { schedule, userId } = await scheduleWorld()
    const fire_at = "9999-12-31T23:59:59Z"
    expect(await schedule(userId, { ...given, fire_at })).toMatchObject({ fire_at: new Date(fire_at) })
  })

  it("is refused for nobody, and leaves nothing", async () => {
    const { scheduling, refusal, campaigns } = await scheduleWorld()
    expect(await refusal(scheduling(anId()))).toBe("not_found USER_NOT_FOUND")
    expect(await campaigns()).toEqual([])
  })

  it("leaves neither campaign nor segment nor membership where the queue is down", async () => {
    const { scheduling, refusal, campaigns, setDown, transact, world, projectId, gateway } = await scheduleWorld()
    const segments = () => transact((db) => db.segments.list({}, []))
    const before = await segments()
    setDown(true)
    expect(await refusal(scheduling())).toBe("internal SCHEDULE_FAILED")
    setDown(false)
    expect([await campaigns(), await segments()]).toEqual([[], before])
    await world.advance("2 hours")
    expect(gateway.pushes).toEqual([])
    expect((await world.run(world.core.segments.list(projectId, { limit: 1, offset: 0 }))).total).toBe(before.length)
  })

  it("is made where the database goes with the queue: whoever is refused would make another", async () => {
    const { schedule, campaigns, setBothDown, world, gateway } = await scheduleWorld()
    setBothDown(true)
    const { campaign_id } = await schedule()
    setBothDown(false)
    expect((await campaigns()).map(({ id }) => id)).toEqual([campaign_id])
    await world.advance("2 hours")
    expect(gateway.pushes).toHaveLength(1)
  })

  it("leaves nothing where a write fails", async () => {
    const { world, projectId, userId, campaigns } = await scheduleWorld()
    const work: typeof world.tenants.transact = (id, run, options) =>
      world.tenants.transact(
        id,
        (db) => run({ ...db, segmentMembers: { ...db.segmentMembers, add: () => Effect.die("cut off") } }),
        options,
      )
    const { createEngagement } = await import("@hearth/core")
    const broken = createEngagement({ ...world.ports, tenants: { ...world.tenants, transact: work } })
    const exit = await world.run(Effect.exit(broken.pushCampaigns.schedule(projectId, userId, given)))
    expect([exit._tag, await campaigns()]).toEqual(["Failure", []])
  })

  it("takes its segment with it when it is deleted, and cannot be turned to others", async () => {
    const { schedule, segment, world, core, projectId, refusal } = await scheduleWorld()
    const { campaign_id, segment_id } = await schedule()
    const turn = (id: string | null) => refusal(core.update(projectId, campaign_id, { segment_id: id }))
    expect([await turn(null), await turn(anId())]).toEqual(Array(2).fill("invalid INVALID_SEGMENT_ID"))
    expect(await world.run(core.update(projectId, campaign_id, { segment_id, title: "T" }))).toMatchObject({
      title: "T",
    })
    await world.run(core.remove(projectId, campaign_id))
    expect(await segment(segment_id)).toBeNull()
  })

  it("is sent to nobody once its user is gone", async () => {
    const { schedule, read, world, projectId, userId, gateway } = await scheduleWorld()
    const { campaign_id } = await schedule()
    await world.run(world.core.users.remove(projectId, userId))
    await world.advance("1 hour")
    expect([gateway.pushes, await read({ id: campaign_id })]).toMatchObject([[], { status: "sent" }])
  })
})

describe("the segment of a push-schedule [H4.6]", () => {
  it("is never evaluated, is not listed, cannot be changed, and is no audience of a store", async () => {
    const { schedule, segment, world, projectId, refusal } = await scheduleWorld()
    const { segment_id } = await schedule()
    const { segments, stores } = world.core
    const listed = await world.run(segments.list(projectId, { limit: 100, offset: 0 }))
    expect([listed.total, listed.rows.map(({ id }) => id)]).toEqual([4, expect.not.arrayContaining([segment_id])])
    await world.run(world.core.background.evaluation.evaluateSegments.run(projectId))
    const { evaluateSegment } = world.core.background.evaluation
    await world.run(evaluateSegment.run({ project_id: projectId, segment_id }))
    expect(await segment(segment_id)).toMatchObject({ last_evaluated_at: null, user_count: 1 })
    const codes = await Promise.all([
      refusal(segments.evaluate(projectId, segment_id)),
      refusal(segments.update(projectId, segment_id, { name: "Mine" })),
      refusal(segments.remove(projectId, segment_id)),
      refusal(stores.create(projectId, { name: "S", description: null, segment_id })),
    ])
    expect(codes).toEqual([
      ...["not_found NOT_FOUND", "forbidden SYSTEM_SEGMENT", "forbidden SYSTEM_SEGMENT", "invalid INVALID_INPUT"],
    ])
    expect(await world.run(segments.get(projectId, segment_id))).toMatchObject({ is_system: true })
  })

  it("goes 30 days after its campaign has ended, without anybody asking", async () => {
    const { schedule, segment, world, core, projectId, read } = await scheduleWorld()
    const sent = await schedule()
    await world.advance("1 hour")
    const cancelled = await schedule(undefined, { ...given, fire_at: "2026-03-20T00:00:00Z" })
    await world.run(core.cancel(projectId, cancelled.campaign_id))
    const waiting = await schedule(undefined, { ...given, fire_at: "2026-09-20T00:00:00Z" })
    const poll = async () => {
      await world.run(world.core.background.poll)
      await world.runPending()
      const all = await Promise.all([sent, cancelled, waiting].map(({ segment_id }) => segment(segment_id)))
      return all.map((row) => row !== null)
    }
    // Not by `advance`, which stops at every look of the project's jobs on the way.
    world.clock.advance("719 hours")
    expect(await poll()).toEqual([true, true, true])
    world.clock.advance("62 minutes")
    expect(await poll()).toEqual([false, false, true])
    expect(await read({ id: sent.campaign_id })).toMatchObject({ segment_id: sent.segment_id, scheduled_for: null })
  })
})
