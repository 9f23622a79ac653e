import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** Segments. Input cannot change the fields that the service sets. */
export const tour: Tour = async ({ admin, userId }) => {
  const rules = { operator: "AND", conditions: [{ field: "email", op: "not_exists", password_hash: "kept" }] }
  const made = await admin("POST /segments", { body: { name: "Without an address", rules } })
  expect(made).toMatchObject({ rules, is_system: false, user_count: 0, last_evaluated_at: null })
  const segmentId = made["id"]
  await admin("GET /segments")
  await admin("GET /segments/:segmentId", { segmentId })
  const renamed = await admin("PATCH /segments/:segmentId", { segmentId, body: { name: "Renamed" } })
  expect(renamed).toMatchObject({ is_system: false, user_count: 0, last_evaluated_at: null })
  await admin("POST /segments/:segmentId/evaluate", { segmentId })
  expect(await admin("POST /segments/preview", { body: { rules } })).toMatchObject({ user_count: 1 })
  const explained = await admin("GET /segments/:segmentId/explain/:userId", { segmentId, userId })
  expect(explained).toMatchObject({ segment_id: segmentId, user_id: userId, matches: true, is_member: false })
  await admin("DELETE /segments/:segmentId", { segmentId })
}
