import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A leaderboard from its making to its end, as both planes see it. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const board = await admin("POST /leaderboards", { body: { name: "Points", metric: "xp" } })
  expect(board).toEqual({
    ...{ id: expect.any(String), name: "Points", metric: "xp", period: "all_time", max_entries: 100 },
    ...{ custom_event: null, is_active: true, filling: true, created_at: expect.any(String) },
  })
  const leaderboardId = board["id"]
  expect(await admin("GET /leaderboards")).toMatchObject([{ id: leaderboardId }])
  const { filling: _, ...lasting } = board
  expect(await admin("GET /leaderboards/:leaderboardId", { leaderboardId })).toMatchObject(lasting)

  const changes = { metric: "custom", custom_event: "scored:points", period: "weekly", max_entries: 1_000_000 }
  expect(await admin("PATCH /leaderboards/:leaderboardId", { leaderboardId, body: changes })).toMatchObject(changes)
  const own = await client<ReadonlyArray<Record<string, string>>>("GET /client/leaderboards")
  expect(own).toMatchObject([{ id: leaderboardId, ...changes }])
  const { window_start = "", window_end = "" } = own[0] ?? {}
  expect(Date.parse(window_end) - Date.parse(window_start)).toBe(7 * 86_400_000)
  expect(new Date(window_start).getUTCDay()).toBe(1)

  await admin("POST /events", { body: { app_user_id: userId, event_name: "scored", properties: { points: 2.5 } } })
  expect(await admin("POST /leaderboards/:leaderboardId/rebuild", { leaderboardId })).toEqual({ status: "rebuilding" })
  const differences = { leaderboardId, query: "dry_run=true" }
  expect(await admin("POST /leaderboards/:leaderboardId/rebuild", differences)).toEqual({ differences: 0 })
  const entries = await admin<ReadonlyArray<object>>("GET /leaderboards/:leaderboardId/entries", { leaderboardId })
  expect(entries.length).toBeLessThanOrEqual(1)
  const page = await client<ReadonlyArray<object>>("GET /client/leaderboards/:leaderboardId/entries", {
    ...{ leaderboardId, query: "around=me&limit=1" },
  })
  expect(page.length).toBeLessThanOrEqual(1)
  await admin("DELETE /leaderboards/:leaderboardId", { leaderboardId })
  expect(await admin("GET /leaderboards")).toEqual([])
}
