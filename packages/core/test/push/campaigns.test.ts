import { anId, aSegment } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { campaignWorld } from "./campaign-world.ts"
import { noon } from "./world.ts"

const inMinutes = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)
const later = inMinutes(60).toISOString()
const noStats = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }
const states = ["draft", "scheduled", "sending", "sent", "cancelled", "failed"] as const

describe("a campaign", () => {
  it("is a draft without a time, and nobody is told", async () => {
    const { create, read, starts } = await campaignWorld()
    const made = await create({ name: "N", data: { a: 1 }, options: { badge: 1 } })
    expect(made).toMatchObject({
      ...{ name: "N", title: "Sale!", body: "Cheap.", data: { a: 1 }, options: { badge: 1 }, segment_id: null },
      ...{ delivery_mode: "absolute", local_date: null, local_time: null, status: "draft", scheduled_at: null },
      ...{ sent_at: null, error: null, created_at: noon, updated_at: noon },
    })
    expect([await read(made), starts]).toEqual([made, []])
  })

  it("is sent at its time, though nobody looks before", async () => {
    const { world, user, create, read, gateway } = await campaignWorld()
    await user()
    const made = await create({ scheduled_at: later })
    expect(made).toMatchObject({ status: "scheduled", scheduled_at: new Date(later) })
    await world.advance("59 minutes")
    expect(gateway.pushes).toEqual([])
    await world.advance("1 minute")
    expect([gateway.pushes.length, await read(made)]).toMatchObject([
      1,
      { status: "sent", started_at: new Date(later) },
    ])
  })

  it("has failed where the queue is down, and is answered so", async () => {
    const { create, read, setDown, world, gateway, user } = await campaignWorld()
    await user()
    setDown(true)
    const made = await create({ scheduled_at: later })
    expect(made).toMatchObject({ status: "failed", scheduled_at: new Date(later), error: expect.any(String) })
    expect(await read(made)).toEqual(made)
    setDown(false)
    await world.advance("2 hours")
    expect(gateway.pushes).toEqual([])
  })

  it("is as it was committed where the database goes with the queue: whoever is refused would make another", async () => {
    const { create, core, projectId, read, setBothDown, update, world, gateway, user } = await campaignWorld()
    await user()
    const drafts = [await create(), await create()]
    setBothDown(true)
    const made = await create({ scheduled_at: later })
    expect(made).toMatchObject({ status: "scheduled", scheduled_at: new Date(later) })
    setBothDown(false)
    expect(await read(made)).toEqual(made)
    setBothDown(true)
    expect(await update(drafts[0]?.id ?? "", { scheduled_at: later })).toMatchObject({ status: "scheduled" })
    setBothDown(false)
    setBothDown(true)
    expect(await world.run(core.send(projectId, drafts[1]?.id ?? ""))).toMatchObject({ status: "sending" })
    setBothDown(false)
    await world.advance("2 hours")
    expect(gateway.pushes).toHaveLength(3)
    for (const each of [made, ...drafts]) expect((await read(each)).status).toBe("sent")
  })

  it("is for a segment that is there, and none of a push-schedule [H4.6]", async () => {
    const { core, projectId, create, refusal, segment, transact, campaign } = await campaignWorld()
    const texts = { title: "t", body: "b" }
    expect(await refusal(core.create(projectId, { ...texts, segment_id: anId() }))).toBe("invalid INVALID_SEGMENT_ID")
    const { id } = await segment("Ada")
    expect(await create({ segment_id: id.toUpperCase() })).toMatchObject({ segment_id: id })
    const schedule = await campaign({ status: "draft" })
    const own = aSegment({ campaign_id: schedule.id })
    await transact((db) => db.segments.insert(own))
    expect(await refusal(core.create(projectId, { ...texts, segment_id: own.id }))).toBe("invalid INVALID_SEGMENT_ID")
  })

  it("is listed with its statistics, the newest first, and shown", async () => {
    const { world, core, projectId, user, create, refusal } = await campaignWorld()
    await user()
    const first = await create({ scheduled_at: later })
    await world.advance("1 hour")
    const second = await create()
    const { rows, total } = await world.run(core.list(projectId, { limit: 10, offset: 0 }))
    expect([rows.map(({ id }) => id), total]).toEqual([[second.id, first.id], 2])
    expect(rows.map(({ stats }) => stats)).toEqual([noStats, { ...noStats, sent: 1, recipients: 1 }])
    expect(await world.run(core.list(projectId, { limit: 1, offset: 1 }))).toMatchObject({
      rows: [{ id: first.id }],
      total: 2,
    })
    expect(await world.run(core.get(projectId, first.id))).toEqual(rows[1])
    expect(await refusal(core.get(projectId, anId()))).toBe("not_found NOT_FOUND")
  })

  test.each([
    ["send", { draft: null, scheduled: "ALREADY_SCHEDULED" }],
    ["update", { draft: null, scheduled: null }],
    ["remove", { draft: null, scheduled: null }],
    ["cancel", { draft: null, scheduled: null, sending: null }],
  ] as const)("can be the subject of %s in some states only", async (call, expected) => {
    const { core, projectId, campaign, world, refusal } = await campaignWorld()
    const run = (id: string) =>
      ({
        send: core.send(projectId, id),
        update: core.update(projectId, id, { title: "T" }),
        remove: core.remove(projectId, id),
        cancel: core.cancel(projectId, id),
      })[call]
    for (const status of states) {
      const { id } = await campaign({ status, scheduled_at: status === "scheduled" ? new Date(later) : null })
      const code = status in expected ? expected[status as keyof typeof expected] : "ALREADY_SENT"
      if (code === null) await world.run(run(id) as Effect.Effect<unknown>)
      else expect([status, await refusal(run(id))]).toEqual([status, `conflict ${code}`])
    }
    expect(await refusal(run(anId()))).toBe("not_found NOT_FOUND")
  })
})

describe("a change of a campaign", () => {
  it("leaves what is not given, and says when it was made", async () => {
    const { world, create, update, segment, starts } = await campaignWorld()
    const made = await create({ name: "N", data: { a: 1 }, options: { badge: 1 } })
    world.clock.advance("1 minute")
    const updated_at = inMinutes(1)
    expect(await update(made.id, { title: "T" })).toEqual({ ...made, title: "T", updated_at })
    const { id: segment_id } = await segment("Ada")
    const changes = { body: "B", data: {}, options: {}, segment_id, name: "M" }
    expect(await update(made.id, changes)).toEqual({ ...made, title: "T", ...changes, updated_at })
    expect(await update(made.id, { segment_id: null })).toMatchObject({ segment_id: null })
    expect(starts).toEqual([])
  })

  it("schedules a draft, and moves one that is scheduled, earlier and later", async () => {
    const { world, create, update, read, user, gateway } = await campaignWorld()
    await user()
    const made = await create()
    expect(await update(made.id, { scheduled_at: later })).toMatchObject({
      status: "scheduled",
      scheduled_at: new Date(later),
    })
    await update(made.id, { scheduled_at: inMinutes(10).toISOString() })
    await world.advance("9 minutes")
    await update(made.id, { scheduled_at: inMinutes(30).toISOString() })
    await world.advance("20 minutes")
    expect([gateway.pushes.length, await read(made)]).toMatchObject([0, { status: "scheduled" }])
    await world.advance("1 minute")
    expect([gateway.pushes.length, await read(made)]).toMatchObject([1, { status: "sent", started_at: inMinutes(30) }])
  })

  it("of its time has it fail where the queue is down; another does not need the queue", async () => {
    const { core, projectId, create, read, refusal, setDown, update } = await campaignWorld()
    const [draft, scheduled] = [await create(), await create({ scheduled_at: later })]
    setDown(true)
    expect(await update(scheduled.id, { title: "T" })).toMatchObject({ title: "T", status: "scheduled" })
    for (const { id } of [draft, scheduled]) {
      const moving = core.update(projectId, id, { scheduled_at: inMinutes(90).toISOString() })
      expect(await refusal(moving)).toBe("upstream RESCHEDULE_FAILED")
      expect(await read({ id })).toMatchObject({ status: "failed", error: expect.any(String) })
    }
  })

  it("of the segment is refused where there is none", async () => {
    const { core, projectId, create, refusal } = await campaignWorld()
    const { id } = await create()
    expect(await refusal(core.update(projectId, id, { segment_id: anId() }))).toBe("invalid INVALID_SEGMENT_ID")
  })

  it("loses nothing of others made at once", async () => {
    const { world, core, projectId, create, read } = await campaignWorld()
    const { id } = await create()
    const changes = [{ title: "T" }, { body: "B" }, { data: { a: 1 } }, { options: { badge: 1 } }, { name: "N" }]
    const all = [...changes, { scheduled_at: later }].map((each) => core.update(projectId, id, each))
    await world.run(Effect.all(all, { concurrency: "unbounded" }))
    expect(await read({ id })).toMatchObject({
      ...Object.assign({}, ...changes),
      ...{ status: "scheduled", scheduled_at: new Date(later) },
    })
  })
})

describe("a campaign that is sent, cancelled or removed", () => {
  it("is sent at once, and only once", async () => {
    const { world, core, projectId, create, user, gateway, read, refusal } = await campaignWorld()
    await user()
    const { id } = await create()
    expect(await world.run(core.send(projectId, id))).toEqual({ status: "sending", campaign_id: id })
    expect(await refusal(core.send(projectId, id))).toBe("conflict ALREADY_SENT")
    await world.runPending()
    expect([gateway.pushes.length, await read({ id })]).toMatchObject([1, { status: "sent", sent_at: noon }])
    expect(await refusal(core.send(projectId, id))).toBe("conflict ALREADY_SENT")
  })

  it("has failed where the queue is down, and then is not sent", async () => {
    const { world, core, projectId, create, user, gateway, read, refusal, setDown } = await campaignWorld()
    await user()
    const { id } = await create()
    setDown(true)
    expect(await refusal(core.send(projectId, id))).toBe("internal SEND_FAILED")
    setDown(false)
    await world.advance("10 minutes")
    expect([gateway.pushes.length, await read({ id })]).toMatchObject([
      0,
      { status: "failed", error: expect.any(String) },
    ])
  })

  it("goes and is cancelled also with the queue down, and is not sent then", async () => {
    const { world, core, projectId, create, user, gateway, read, setDown, refusal } = await campaignWorld()
    await user()
    const [gone, cancelled] = [await create({ scheduled_at: later }), await create({ scheduled_at: later })]
    setDown(true)
    await world.run(core.remove(projectId, gone.id))
    expect(await world.run(core.cancel(projectId, cancelled.id))).toMatchObject({ status: "cancelled" })
    setDown(false)
    await world.advance("2 hours")
    expect([gateway.pushes, (await read(cancelled)).status]).toEqual([[], "cancelled"])
    expect(await refusal(core.get(projectId, gone.id))).toBe("not_found NOT_FOUND")
    expect(await refusal(core.cancel(projectId, cancelled.id))).toBe("conflict ALREADY_SENT")
  })

  it("that is being sent sends nothing more when it is cancelled [H4.6]", async () => {
    const { world, core, projectId, create, user, gateway, states: count } = await campaignWorld()
    await user([{}], { timezone: "America/New_York" })
    await user([{}], { timezone: "Europe/Berlin" })
    const made = await create({ delivery_mode: "local_time", local_date: "2026-03-01", local_time: "20:00" })
    await world.advance("8 hours")
    expect(gateway.pushes).toHaveLength(1)
    expect(await world.run(core.cancel(projectId, made.id))).toMatchObject({ status: "cancelled", sent_at: null })
    await world.runPending()
    expect(await count(made)).toEqual({ sent: 1, skipped: 1 })
    await world.advance("1 day")
    expect(gateway.pushes).toHaveLength(1)
  })

  it("whose process died after the commit is sent by the project's job all the same [E10]", async () => {
    const { world, projectId, user, gateway, campaign, read } = await campaignWorld()
    await user()
    const row = await campaign({ status: "scheduled", scheduled_at: new Date(later) })
    const marked = world.control.transact((db) =>
      db.jobs.markPending(projectId, "push.campaigns", new Date(later), world.clock.now()),
    )
    await world.run(marked)
    await world.advance("61 minutes")
    await world.run(world.core.background.poll)
    await world.runPending()
    expect([gateway.pushes.length, await read(row)]).toMatchObject([1, { status: "sent" }])
  })
})

describe("a campaign in local time", () => {
  const local = { delivery_mode: "local_time", local_date: "2026-03-01", local_time: "20:00" }

  it("is scheduled for the first of its zones that is not over [H4.6]", async () => {
    const { world, create, user, gateway, read } = await campaignWorld()
    const made = await create(local)
    expect(made).toMatchObject({ ...local, local_time: "20:00:00", status: "scheduled" })
    expect(made.scheduled_at).toEqual(new Date("2026-03-01T20:00:00Z"))
    for (const timezone of ["Pacific/Auckland", "America/New_York", "Europe/Berlin"]) await user([{}], { timezone })
    expect((await create(local)).scheduled_at).toEqual(new Date("2026-03-01T19:00:00Z"))
    await world.advance("7 hours")
    expect(gateway.pushes.map(({ at }) => at)).toEqual([new Date("2026-03-01T19:00:00Z")])
    await world.advance("1 day")
    // Berlin is late by an hour for the first one, and Auckland by too much for both.
    expect([gateway.pushes.length, (await read(made)).status]).toEqual([4, "sent"])
  })

  it("is refused where it is over in every zone", async () => {
    const { core, projectId, user, refusal, create } = await campaignWorld()
    const texts = { title: "t", body: "b" }
    const over = { ...texts, ...local, local_time: "12:00" }
    expect(await refusal(core.create(projectId, over))).toBe("invalid SCHEDULED_AT_IN_PAST")
    await user([{}], { timezone: "Asia/Tokyo" })
    expect(await refusal(core.create(projectId, over))).toBe("invalid SCHEDULED_AT_IN_PAST")
    expect(await refusal(core.preview(projectId, over))).toBe("invalid SCHEDULED_AT_IN_PAST")
    await user([{}], { timezone: "America/New_York" })
    expect((await create(over)).scheduled_at).toEqual(new Date("2026-03-01T17:00:00Z"))
  })

  it("begins at once where a zone is over by two hours or less: what is still to come may be far", async () => {
    const { world, core, projectId, user, create, gateway, read } = await campaignWorld()
    for (const timezone of ["Asia/Tokyo", "Europe/Berlin", "America/New_York"]) await user([{}], { timezone })
    const late = { ...local, local_time: "12:00" }
    const { groups } = await world.run(core.preview(projectId, { title: "t", body: "b", ...late }))
    expect(groups).toMatchObject([
      { timezone: "Asia/Tokyo", recipients: 0, skipped: 1 },
      { timezone: "Europe/Berlin", fire_at: new Date("2026-03-01T11:00:00Z"), recipients: 1, skipped: 0 },
      { timezone: "America/New_York", recipients: 1, skipped: 0 },
    ])
    const made = await create(late)
    expect(made.scheduled_at).toEqual(new Date("2026-03-01T11:00:00Z"))
    await world.runPending()
    expect([gateway.pushes.length, (await read(made)).status]).toEqual([1, "sending"])
    await world.advance("5 hours")
    expect([gateway.pushes.length, (await read(made)).status]).toEqual([2, "sent"])
  })

  it("goes by the zones of its segment as its rules describe it now", async () => {
    const { world, projectId, create, update, user, segment, core, refusal } = await campaignWorld()
    const { userId } = await user([{}], { timezone: "America/New_York" })
    await user([{}], { timezone: "Europe/Berlin" })
    await world.run(world.core.users.update(projectId, userId, { display_name: "Ada" }))
    const { id: segment_id } = await segment("Ada")
    const made = await create({ ...local, segment_id })
    expect(made.scheduled_at).toEqual(new Date("2026-03-02T01:00:00Z"))
    const all = await update(made.id, { segment_id: null })
    expect(all).toMatchObject({ status: "scheduled", scheduled_at: new Date("2026-03-01T19:00:00Z") })
    const moving = core.update(projectId, made.id, { scheduled_at: later })
    expect(await refusal(moving)).toBe("invalid CONFLICTING_SCHEDULE")
  })
})
