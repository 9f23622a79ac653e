import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** XP by rules and by hand, and what users and developers see of it. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const rules = [
    { event_name: "xp_lesson", amount: 10, daily_cap: 15 },
    { event_name: "xp_quiz", amount: 1, daily_cap: null },
  ]
  const [bronze, silver] = [
    { name: "Bronze", xp_required: 10 },
    { name: "Silver", xp_required: 100 },
  ]
  expect(await admin("GET /xp/rules")).toEqual({ rules: [] })
  expect(await admin("PUT /xp/rules", { body: { rules } })).toEqual({ rules })
  expect(await admin("GET /xp/rules")).toEqual({ rules })
  expect(await admin("GET /xp/levels")).toEqual({ levels: [] })
  expect(await admin("PUT /xp/levels", { body: { levels: [bronze, silver] } })).toEqual({ levels: [bronze, silver] })
  expect(await admin("GET /xp/levels")).toEqual({ levels: [bronze, silver] })

  expect(await client("GET /client/xp")).toEqual({ total: 0, level: null, next_level: bronze })
  // qualify handles its event at once, as a worker would.
  const streak = await admin("POST /streaks", { body: { name: "Lessons", qualifying_event: "xp_lesson" } })
  const streakId = streak["id"]
  await client("POST /client/streaks/:streakId/qualify", { streakId })
  await client("POST /client/streaks/:streakId/qualify", { streakId })
  expect(await client("GET /client/xp")).toEqual({ total: 15, level: bronze, next_level: silver })

  const body = { amount: -5, reason: "by mistake" }
  expect(await admin("POST /users/:userId/xp", { userId, body })).toEqual({ total: 10, awarded: -5 })
  const entry = { id: expect.any(String), created_at: expect.any(String) }
  const [byHand, ...given] = (await admin<{ entries: ReadonlyArray<object> }>("GET /users/:userId/xp", { userId }))
    .entries
  expect(byHand).toEqual({ ...entry, amount: -5, source: "admin", reference_id: "by mistake" })
  expect(given).toHaveLength(2)
  expect(given).toEqual(
    expect.arrayContaining(
      [10, 5].map((amount) => ({ ...entry, amount, source: "event", reference_id: expect.any(String) })),
    ),
  )
  expect(await admin("PUT /xp/rules", { body: { rules: [] } })).toEqual({ rules: [] })
  await admin("DELETE /streaks/:streakId", { streakId })
}
