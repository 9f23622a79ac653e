import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A reward by hand, which the user sees at once. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const entitlements = [{ entitlement_id: "pro", days: 30 }]
  const body = { reward: { xp: 50, entitlements, note: "kept by nobody" }, reason: "sorry" }
  const given = await admin("POST /users/:userId/rewards", { userId, body })
  expect(given).toEqual({ reward: { xp: 50, entitlements, skipped: [] } })
  expect(await client("GET /client/users/me")).toMatchObject({
    entitlements: [{ entitlement_id: "pro", is_active: true, expiration_date: expect.any(String) }],
  })
}
