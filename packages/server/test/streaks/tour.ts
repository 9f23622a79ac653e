import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** Timelines of a streak: the user's own and a developer's. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const { id } = await admin("POST /streaks", { body: { name: "Timelines", qualifying_event: "timeline_event" } })
  await client("POST /client/streaks/:streakId/qualify", { streakId: id })
  const expected = [{ kind: "done", count_after: 1, freezes_after: 0, events: [{ id: expect.any(String) }] }]
  expect(await client("GET /client/streaks/:streakId/timeline", { streakId: id })).toMatchObject(expected)
  const path = "GET /users/:userId/streaks/:streakDefinitionId/timeline"
  expect(await admin(path, { userId, streakDefinitionId: id })).toMatchObject(expected)
  await admin("DELETE /streaks/:streakId", { streakId: id })
}
