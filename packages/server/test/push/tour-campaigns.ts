import { apnsKey, apnsTeam } from "@hearth/test-services/push"
import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A campaign from its preview to its end, and pushes to one user. */
export const tourCampaigns: Tour = async ({ admin, client, userId }) => {
  const token = `tour-${userId}`
  await client("POST /client/push/tokens", { body: { token, platform: "ios" } })
  const texts = { title: "Hi {{display_name}}", body: "{{properties.tour|there}}" }
  const preview = await admin("POST /push/campaigns/preview", { body: texts })
  expect(preview).toMatchObject({ recipients: expect.any(Number), groups: [{ timezone: null, skipped: 0 }] })

  const options = { badge: 1, ttl_seconds: 60 }
  const draft = await admin("POST /push/campaigns", { body: { ...texts, data: { a: [1] }, options } })
  const campaignId = draft["id"]
  expect(draft).toEqual({
    ...{ id: expect.any(String), name: texts.title, ...texts, data: { a: [1] }, options, segment_id: null },
    ...{ delivery_mode: "absolute", local_date: null, local_time: null, status: "draft", scheduled_at: null },
    ...{ sent_at: null, error: null, created_at: expect.any(String), updated_at: draft["created_at"] },
  })
  const changed = await admin("PATCH /push/campaigns/:campaignId", { campaignId, body: { name: "Tour", data: {} } })
  expect(changed).toEqual({ ...draft, name: "Tour", data: {}, updated_at: expect.any(String) })
  expect(await admin("POST /push/campaigns/:campaignId/send", { campaignId })).toEqual({
    ...{ status: "sending", campaign_id: campaignId },
  })
  const stats = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }
  const shown = await admin("GET /push/campaigns/:campaignId", { campaignId })
  expect(Object.keys(shown).sort()).toEqual([...Object.keys(draft), "stats"].sort())
  expect(Object.keys(shown["stats"] as object)).toEqual(expect.arrayContaining(Object.keys(stats)))

  const scheduled = await admin("POST /push/campaigns", { body: { ...texts, scheduled_at: "9999-12-31T23:59:59Z" } })
  expect(scheduled).toMatchObject({ status: "scheduled", scheduled_at: "9999-12-31T23:59:59.000Z" })
  const cancelled = await admin("POST /push/campaigns/:campaignId/cancel", { campaignId: scheduled["id"] })
  expect(cancelled).toMatchObject({ status: "cancelled" })
  const local = { delivery_mode: "local_time", local_date: "9999-12-30", local_time: "23:30" }
  const inLocalTime = await admin("POST /push/campaigns", { body: { ...texts, ...local } })
  expect(inLocalTime).toMatchObject({ status: "scheduled", local_date: "9999-12-30", local_time: "23:30:00" })
  await admin("DELETE /push/campaigns/:campaignId", { campaignId: inLocalTime["id"] })
  const listed = await admin<ReadonlyArray<Record<string, unknown>>>("GET /push/campaigns")
  expect(listed.slice(0, 2)).toMatchObject([{ ...cancelled, stats }, { id: campaignId }])

  const data = { deep: { link: "myapp://x" } }
  const schedule = { ...texts, fire_at: "9999-12-31T23:59:59Z", data }
  const single = await admin("POST /users/:userId/push-schedule", { userId, body: schedule })
  expect(single).toEqual({
    ...{ campaign_id: expect.any(String), segment_id: expect.any(String), fire_at: "9999-12-31T23:59:59.000Z" },
  })
  const segment = await admin("GET /segments/:segmentId", { segmentId: single["segment_id"] })
  expect(segment).toEqual({
    ...{ id: single["segment_id"], name: `__user_${userId}_${single["campaign_id"]}`, description: null },
    ...{ rules: { system: true }, is_system: true, user_count: 1, last_evaluated_at: null },
    created_at: expect.any(String),
  })

  const config = { ...apnsTeam, environment: "production", private_key: apnsKey(apnsTeam.key_id).privateKey }
  await admin("PUT /integrations/:provider", { provider: "push_a", body: { config } })
  expect(await admin("POST /push/campaigns/test", { body: { ...texts, app_user_id: userId } })).toEqual({
    ...{ sent: true, delivery_id: expect.any(String), provider: "push_a", provider_message_id: expect.any(String) },
  })
  await client("DELETE /client/push/tokens/:token", { token })
}
