import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A delivery: listed for developers, and reported by the app of its user. */
export const tourDeliveries: Tour = async ({ admin, client, projectId, userId, sql }) => {
  const [campaignId, id, push_token_id] = [randomUUID(), randomUUID(), randomUUID()]
  await sql.rows(
    projectId,
    `with campaign as (
      insert into push_campaigns (id, name, title, body, data, options, delivery_mode, status, created_at, updated_at)
      values ($1, 'Sale', 'Sale!', 'Cheap', '{}', '{}', 'absolute', 'sent', now(), now()) returning id
    ), stats as (
      insert into push_campaign_stats (campaign_id, sent, delivered, opened, failed, recipients, skipped, unknown, is_kept)
      select id, 1, 0, 0, 0, 1, 0, 0, true from campaign
    )
    insert into push_deliveries
      (id, campaign_id, app_user_id, push_token_id, provider, status, fire_at, try_at, tries, sent_at)
    select $2, id, $3, $4, 'push_a', 'sent', now(), now(), 1, now() from campaign`,
    [campaignId, id, userId, push_token_id],
  )
  const list = (query: string) =>
    admin<ReadonlyArray<object>>("GET /push/campaigns/:campaignId/deliveries", { campaignId, query })
  const sent = {
    ...{ id, app_user_id: userId, push_token_id, provider: "push_a", status: "sent", error: null },
    ...{ sent_at: expect.any(String), delivered_at: null, opened_at: null },
  }
  expect(await list("status=sent&limit=1")).toEqual([sent])
  expect(await list("status=pending")).toEqual([])
  const opened = await client("POST /client/push/receipts", { body: { delivery_id: id, type: "opened" } })
  expect(opened).toEqual({ delivery_id: id, delivered_at: expect.any(String), opened_at: opened["delivered_at"] })
  expect(await client("POST /client/push/receipts", { body: { delivery_id: id, type: "delivered" } })).toEqual(opened)
  expect(await list("")).toEqual([{ ...sent, delivered_at: opened["delivered_at"], opened_at: opened["opened_at"] }])
}
