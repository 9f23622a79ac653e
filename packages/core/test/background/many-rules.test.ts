import { maxRows } from "@hearth/core/background"
import { aStreakDefinition, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"

const { id: _id, created_at: _createdAt, ...daily } = aStreakDefinition({ qualifying_event: "lesson" })
const criteria = { event: "lesson", op: "gte", count: 1, within: "30d" }

const repeat = <A>(count: number, make: (index: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

it("events for which a project has very many rules are handled in small batches, and each counts once for all", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { achievements, events, feeds, leaderboards, streaks } = world.core
  const definitions = 100
  await repeat(definitions, (index) => world.run(streaks.create(projectId, { ...daily, name: `${index}` })))
  await repeat(20, (index) =>
    world.run(achievements.create(projectId, { key: `key_${index}`, name: "Reader", criteria })),
  )
  const board = { name: "Board", period: "all_time", max_entries: 100 } as const
  for (const custom_event of ["lesson", "lesson:points", "other"])
    await world.run(leaderboards.create(projectId, { ...board, metric: "custom", custom_event }))
  await world.run(leaderboards.create(projectId, { ...board, metric: "xp", custom_event: null }))
  for (const source_event of ["lesson", "lesson", "other"])
    await world.run(feeds.createRule(projectId, { source_event, action: "learned", target_type: null }))
  await world.runPending()
  const users = await repeat(50, () => world.aSignedInUser(projectId))
  const lessons = users.map(({ userId }) => ({ app_user_id: userId, event_name: "lesson" }))
  await world.run(events.record(projectId, { events: [...lessons, ...lessons] }))
  await world.runPending()
  const batches = world.signals.of("events_reacted").filter((batch) => batch.events > 1)
  // Four rows for each streak, the achievements that are considered and those that users have, three scores and two items.
  const most = Math.floor(maxRows / (definitions * 4 + 2 * 20 + 3 + 2))
  expect(batches.slice(0, 2).map((batch) => batch.events)).toEqual([most, most])
  const rows = await world.run(
    world.tenants.read(projectId, (db) =>
      Effect.all([db.userStreaks.list({}, []), db.userAchievements.listClosed(users.map(({ userId }) => userId))]),
    ),
  )
  expect(rows.map(({ length }) => length)).toEqual([50 * definitions, 50 * 20])
  expect(new Set(rows[0].map((streak) => streak.current_count))).toEqual(new Set([1]))
})
