import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { campaignWorld } from "./campaign-world.ts"
import { noon } from "./world.ts"

const texts = { title: "Hi {{display_name}}", body: "{{properties.city|?}}" }
const local = { delivery_mode: "local_time", local_date: "2026-03-01", local_time: "13:30" }

/** Users: two devices in Berlin, one in New York, one without a zone, and some whom nothing reaches. */
const previewWorld = async () => {
  const base = await campaignWorld()
  const { world, projectId, user, transact } = base
  const berlin = await user([{}, { platform: "android", provider: "push_b" }], { timezone: "Europe/Berlin" })
  await user([{ platform: "web", provider: "push_b" }], { timezone: "America/New_York" })
  const { userId } = await user()
  await user([])
  await user([{ is_active: false }])
  const disabled = await user()
  await world.run(world.core.users.change(projectId, disabled.userId, { is_disabled: true }))
  const city = { display_name: "Ada", properties: { city: "Bonn" } }
  await world.run(world.core.users.update(projectId, berlin.userId, city))
  const count = () =>
    transact((db) =>
      Effect.gen(function* () {
        const campaigns = yield* db.pushCampaigns.list({}, [])
        const segments = yield* db.segments.list({}, [])
        return [campaigns.length, segments.map(({ last_evaluated_at }) => last_evaluated_at)] as const
      }),
    )
  return {
    ...base,
    ...{ berlinId: berlin.userId, userId, count },
    preview: (more: object = {}) => world.run(world.core.pushCampaigns.preview(projectId, { ...texts, ...more })),
  }
}

describe("the preview of a campaign [H4.5]", () => {
  it("shows whom it reaches at one instant", async () => {
    const { preview, count, gateway } = await previewWorld()
    const before = await count()
    const shown = await preview()
    expect(shown).toMatchObject({
      ...{ recipients: 3, devices: 4, by_platform: { ios: 2, android: 1, web: 1 } },
      groups: [{ timezone: null, fire_at: noon, recipients: 3, skipped: 0 }],
    })
    const at = "2026-03-02T00:00:00.000Z"
    expect((await preview({ scheduled_at: at })).groups).toEqual([
      { timezone: null, fire_at: new Date(at), recipients: 3, skipped: 0 },
    ])
    expect([await count(), gateway.pushes]).toEqual([before, []])
  })

  it("shows each zone in local time, the first one first, and who is too late when it begins", async () => {
    const { preview, user } = await previewWorld()
    await user([{}], { timezone: "Asia/Tokyo" })
    await user([{}], { timezone: "UTC" })
    expect(await preview(local)).toMatchObject({
      ...{ recipients: 4, devices: 5, by_platform: { ios: 3, android: 1, web: 1 } },
      groups: [
        { timezone: "Asia/Tokyo", fire_at: new Date("2026-03-01T04:30:00Z"), recipients: 0, skipped: 1 },
        { timezone: "Europe/Berlin", fire_at: new Date("2026-03-01T12:30:00Z"), recipients: 1, skipped: 0 },
        { timezone: "UTC", fire_at: new Date("2026-03-01T13:30:00Z"), recipients: 2, skipped: 0 },
        { timezone: "America/New_York", fire_at: new Date("2026-03-01T18:30:00Z"), recipients: 1, skipped: 0 },
      ],
    })
  })

  it("shows what some of them would read, up to five", async () => {
    const { preview, berlinId, user } = await previewWorld()
    const { sample } = await preview()
    expect(sample).toHaveLength(3)
    expect(sample).toContainEqual({ app_user_id: berlinId, title: "Hi Ada", body: "Bonn" })
    for (let n = 0; n < 4; n += 1) await user()
    expect((await preview()).sample).toHaveLength(5)
  })

  it("shows nobody who is too late", async () => {
    const { preview, user } = await previewWorld()
    const { userId } = await user([{}], { timezone: "Asia/Tokyo" })
    const listed = async (more: object) => (await preview(more)).sample.map(({ app_user_id }) => app_user_id)
    expect(await listed({})).toContain(userId)
    const late = await listed(local)
    expect([late.length, late.includes(userId)]).toEqual([3, false])
  })

  it("counts a segment by its rules at that moment, and evaluates nothing", async () => {
    const { preview, segment, berlinId, count, world } = await previewWorld()
    const { id: segment_id } = await segment("Ada")
    const before = await count()
    const shown = await preview({ segment_id })
    expect(shown).toMatchObject({ recipients: 1, devices: 2, by_platform: { ios: 1, android: 1, web: 0 } })
    expect(shown.sample.map(({ app_user_id }) => app_user_id)).toEqual([berlinId])
    expect(await count()).toEqual(before)
    await world.runPending()
    const nobody = await segment("Nobody")
    expect(await preview({ segment_id: nobody.id })).toEqual({
      ...{ recipients: 0, devices: 0, by_platform: { ios: 0, android: 0, web: 0 }, groups: [], sample: [] },
    })
  })

  it("has the codes of a campaign", async () => {
    const { core, projectId, refusal } = await previewWorld()
    const code = (more: object) => refusal(core.preview(projectId, { ...texts, ...more }))
    expect([await code({ title: "" }), await code({ segment_id: "x" }), await code({ delivery_mode: "x" })]).toEqual([
      ...["invalid INVALID_INPUT", "invalid INVALID_SEGMENT_ID", "invalid INVALID_DELIVERY_MODE"],
    ])
  })
})
