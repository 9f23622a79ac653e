import type { JsonObject } from "@hearth/core"
import type { NewLeaderboard } from "@hearth/core/leaderboards"
import { type TestWorldOptions, testWorld } from "@hearth/testing"
import { Effect } from "effect"

/** A project with users `a`, `b` and so on. It is noon of Sunday, 1 March 2026. */
export const boardWorld = async (names: ReadonlyArray<string>, options: TestWorldOptions = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { projectId } = await world.aProjectWithOwner()
  const users = new Map<string, string>()
  for (const name of names) users.set(name, (await world.aSignedInUser(projectId)).userId)
  const nameOf = (id: string) => [...users].find(([, userId]) => userId === id)?.[0] ?? "?"
  const userOf = (name: string) => users.get(name) ?? ""
  const { leaderboards } = world.core
  const defaults: NewLeaderboard = {
    ...{ name: "Board", metric: "custom", period: "all_time", max_entries: 100, custom_event: "scored:points" },
  }
  return {
    world,
    projectId,
    users,
    userOf,
    leaderboards,
    create: (given: Partial<NewLeaderboard> = {}) =>
      world.run(leaderboards.create(projectId, { ...defaults, ...given })),
    /** Writes an event of a user, now or at an instant. It is not handled yet. */
    record: (name: string, event_name: string, properties: JsonObject = {}, occurred_at?: string) =>
      world.run(
        world.core.events.record(projectId, {
          ...{ app_user_id: userOf(name), event_name, properties },
          ...(occurred_at === undefined ? {} : { occurred_at }),
        }),
      ),
    /** Name, score and rank of each entry. */
    entries: async (id: string, at?: string) => {
      const query = { limit: 50, offset: 0, ...(at === undefined ? {} : { at: new Date(at) }) }
      const { rows } = await world.run(leaderboards.entries(projectId, id, query))
      return rows.map(({ app_user_id, score, rank }) => [nameOf(app_user_id), score, rank])
    },
    get: (id: string) => world.run(leaderboards.get(projectId, id)),
    differences: async (id: string) => (await world.run(leaderboards.countDifferences(projectId, id))).differences,
    refusal: <A, E>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect)),
  }
}
