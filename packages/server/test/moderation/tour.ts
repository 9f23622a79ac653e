import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A name is held, seen by its user alone, and approved; another one is reported, escalated and rejected. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const rule = { name: "No spam", rule_type: "keyword", config: { keywords: ["spam"], action: "hold" } }
  const made = await admin("POST /moderation/rules", { body: rule })
  expect(made).toMatchObject({ ...rule, is_active: true })
  expect(await admin("GET /moderation/rules")).toEqual([made])

  const named = await client("PATCH /client/users/me", { body: { display_name: "Spam Sam" } })
  expect(named["display_name"]).toBe("Spam Sam")
  const others = await admin("GET /users/:userId", { userId })
  expect(others["display_name"]).not.toBe("Spam Sam")
  const [held] = await admin<ReadonlyArray<Record<string, unknown>>>("GET /moderation/queue")
  expect(held).toMatchObject({
    ...{ content_type: "user", content_id: userId, app_user_id: userId, rule_id: made["id"], reason: "keyword" },
    ...{ excerpt: "Spam Sam", status: "pending", moderator_id: null, resolved_at: null },
  })
  expect(await admin("GET /moderation/queue", { query: "content_type=user" })).toEqual([held])
  expect(await admin("GET /moderation/queue", { query: "content_type=group" })).toEqual([])
  const preview = await admin("POST /moderation/rules/preview", {
    body: { rule_type: "regex", config: { pattern: "spam s.m" } },
  })
  expect(preview).toMatchObject({ matches: 1, sample: [{ content_id: userId, excerpt: "Spam Sam" }] })
  const approved = await admin("POST /moderation/queue/:itemId/approve", { itemId: held?.["id"] })
  expect(approved).toMatchObject({ status: "approved", moderator_id: "admin", resolved_at: expect.any(String) })
  expect(await admin("GET /users/:userId", { userId })).toMatchObject({ display_name: "Spam Sam" })

  const report = { target_type: "user", target_id: userId, reason: "rude" }
  expect(await client("POST /client/reports", { body: report })).toMatchObject({ id: held?.["id"], status: "approved" })
  await client("PATCH /client/users/me", { body: { display_name: "Sam" } })
  const reported = await client("POST /client/reports", { body: report })
  expect(reported).toMatchObject({ reason: "reported", report_count: 1, report_reasons: ["rude"] })
  const itemId = reported["id"]
  expect(await admin("POST /moderation/queue/:itemId/escalate", { itemId })).toMatchObject({ resolved_at: null })
  expect(await admin("GET /moderation/queue", { query: "status=escalated" })).toMatchObject([{ id: itemId }])
  expect(await admin("POST /moderation/queue/:itemId/reject", { itemId })).toMatchObject({ status: "rejected" })
  expect((await client("GET /client/users/me"))["display_name"]).not.toBe("Sam")

  const trust = { app_user_id: userId, trust_level: "trusted", auto_approve: true }
  expect(await admin("POST /moderation/trust", { body: trust })).toMatchObject(trust)
  expect(await admin("GET /moderation/trust")).toMatchObject([{ ...trust, app_users: { id: userId } }])
  expect(
    await admin("PATCH /moderation/rules/:ruleId", { ruleId: made["id"], body: { is_active: false } }),
  ).toMatchObject({ is_active: false })
  await admin("DELETE /moderation/rules/:ruleId", { ruleId: made["id"] })
  expect(await admin("GET /moderation/rules")).toEqual([])
}
