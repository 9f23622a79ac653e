import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { aStreakOf } from "../streaks/world.ts"

/** A user with three of each record that is made when it is read. */
const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { events, exports, groups, leaderboards, streaks } = world.core
  const board = { name: "Wins", metric: "custom", custom_event: "win", max_entries: 100 } as const
  for (const period of ["daily", "weekly", "all_time"] as const) {
    await world.run(leaderboards.create(projectId, { ...board, period }))
    await world.run(streaks.create(projectId, aStreakOf({ qualifying_event: "win" })))
    await world.run(groups.create(projectId, userId, { name: period }))
    await world.advance("1 minute")
  }
  await world.run(events.record(projectId, { app_user_id: userId, event_name: "win" }))
  await world.runPending()
  const read = (section: string, limit: number, cursor?: string | null) =>
    world.run(exports.records(projectId, userId, { section, limit, ...(cursor ? { cursor } : {}) }))
  return { world, projectId, userId, read }
}

describe("records of a user that are made when they are read", () => {
  test.each([
    ["user_streaks", ["id"]],
    ["leaderboard_entries", ["leaderboard_id", "window_start"]],
    ["group_memberships", ["joined_at", "group_id"]],
  ])("%s come page by page, the last by their key first [A8]", async (section, key) => {
    const { read } = await setUp()
    const { data: all, next_cursor } = await read(section, 1_000)
    expect([all.length, next_cursor]).toEqual([3, null])
    const keys = all.map((record) => key.map((name) => record[name]).join())
    expect(keys).toEqual(keys.toSorted().toReversed())
    const first = await read(section, 2)
    expect(first.data).toEqual(all.slice(0, 2))
    expect(await read(section, 2, first.next_cursor)).toEqual({ data: all.slice(2), next_cursor: null })
    expect((await read(section, 3)).next_cursor).toBeNull()
  })

  it("are not read on by the cursor of another section", async () => {
    const { world, projectId, userId, read } = await setUp()
    const { next_cursor } = await read("leaderboard_entries", 1)
    const query = { section: "user_streaks", limit: 1, cursor: next_cursor ?? "" }
    const refused = Effect.flip(world.core.exports.records(projectId, userId, query))
    expect(await world.run(refused)).toMatchObject({ code: "INVALID_CURSOR" })
  })
})
