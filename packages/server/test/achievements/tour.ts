import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** Achievements, from their making to what a user has of them. Input cannot change the fields that the service sets. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const criteria = { all: [{ event: "ach_lesson", count: 2, note: "kept" }] }
  const body = { key: "tour.lessons", name: "Two lessons", criteria, id: userId, created_at: "2020-01-01T00:00:00Z" }
  const made = await admin("POST /achievements", { body })
  expect(made).toMatchObject({
    ...{ key: body.key, name: body.name, criteria, description: null, icon_url: null },
    ...{ xp_reward: 0, is_hidden: false, sort_order: 0, is_active: true },
  })
  expect(made).not.toMatchObject({ id: userId })
  const achievementId = made["id"]
  expect(await admin("GET /achievements")).toEqual([made])
  expect(await admin("GET /achievements/:achievementId", { achievementId })).toEqual(made)
  expect(await admin("PATCH /achievements/:achievementId", { achievementId, body: { xp_reward: 30 } })).toEqual({
    ...made,
    xp_reward: 30,
  })
  const anybody = { criteria: { all: [{ field: "id", op: "eq", value: userId }] } }
  expect(await admin("POST /achievements/preview", { body: anybody })).toEqual({ would_unlock: 1, sample: [userId] })
  const dry = { achievementId, body: { dry_run: true } }
  expect(await admin("POST /achievements/:achievementId/evaluate", dry)).toEqual({ would_unlock: 0, sample: [] })
  expect(await admin("POST /achievements/:achievementId/evaluate", { achievementId })).toEqual({
    status: "evaluating",
    achievement_id: achievementId,
  })

  // qualify handles its event at once, as a worker would.
  const streak = await admin("POST /streaks", { body: { name: "Lessons", qualifying_event: "ach_lesson" } })
  const qualify = () => client("POST /client/streaks/:streakId/qualify", { streakId: streak["id"] })
  await qualify()
  const open = { id: achievementId, key: "tour.lessons", xp_reward: 30, unlocked_at: null }
  const [half] = await client<ReadonlyArray<object>>("GET /client/achievements")
  expect(half).toEqual({
    ...{ ...open, name: body.name, description: null, icon_url: null, sort_order: 0 },
    progress: { current: 1, target: 2 },
  })
  const before = await client("GET /client/xp")
  await qualify()
  const unlocked = { ...open, unlocked_at: expect.any(String), progress: { current: 2, target: 2 } }
  expect(await client("GET /client/achievements")).toMatchObject([unlocked])
  expect(await client("GET /client/xp")).toMatchObject({ total: Number(before["total"]) + 30 })
  expect(await admin("GET /users/:userId/achievements", { userId })).toMatchObject([{ ...unlocked, criteria }])

  const both = { userId, achievementId }
  await admin("DELETE /users/:userId/achievements/:achievementId", both)
  expect(await client("GET /client/xp")).toMatchObject({ total: before["total"] })
  expect(await admin("POST /users/:userId/achievements/:achievementId", both)).toMatchObject({ ...unlocked, criteria })
  // A second time it is there already.
  expect(await admin("POST /users/:userId/achievements/:achievementId", both)).toMatchObject({ ...unlocked, criteria })
  expect(await client("GET /client/xp")).toMatchObject({ total: Number(before["total"]) + 30 })
  await admin("DELETE /achievements/:achievementId", { achievementId })
  expect(await client("GET /client/achievements")).toEqual([])
  await admin("DELETE /streaks/:streakId", { streakId: streak["id"] })
}
