import type { TenantDb } from "@hearth/core"
import { type LeaderboardChanges, makeLeaderboardsWork } from "@hearth/core/leaderboards"
import { anXpEntry, aStreakDefinition } from "@hearth/testing"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { boardWorld } from "./world.ts"

const { id: _id, created_at: _createdAt, ...streak } = aStreakDefinition({ qualifying_event: "lesson" })

const names = ["a", "b", "c"]

const boards: ReadonlyArray<LeaderboardChanges> = [
  { metric: "custom", custom_event: "scored:points", period: "all_time" },
  { metric: "custom", custom_event: "scored", period: "daily" },
  { metric: "xp", custom_event: null, period: "monthly" },
  { metric: "streak_length", custom_event: null, period: "all_time" },
  { metric: "streak_length", custom_event: null, period: "weekly" },
]

const user = fc.constantFrom(...names)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("record" as const),
      user,
      day: fc.integer({ min: 20, max: 28 }),
      points: fc.integer({ min: -3, max: 9 }),
      event: fc.constantFrom("scored", "lesson"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("award" as const), user, amount: fc.constantFrom(5, -5) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("rebuild", "process", "corrupt" as const), board: fc.nat(1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("change" as const), board: fc.nat(1), to: fc.constantFrom(...boards) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("disable" as const), user, is_disabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), user: fc.constant("c") }) },
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

it("in whatever order events, changes, rebuilds and removals come, at once too, at the end a rebuild would change nothing [G3.6]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
      async (rounds) => {
        const { world, projectId, create, differences, leaderboards, userOf } = await boardWorld(names)
        const { core } = world
        await world.run(core.streaks.create(projectId, streak))
        const ids = [(await create()).id, (await create({ metric: "streak_length", custom_event: null })).id]
        // The reaction is introduced by a rebuild, which would make everything right at the end.
        await world.runPending()
        const other = world.otherProcess()
        const corrupt = (id: string) => (db: TenantDb) =>
          Effect.gen(function* () {
            yield* db.outbox.hold()
            const board = (yield* db.leaderboards.list({ id }, []))[0]
            const users = yield* db.users.lockMany([userOf("a")])
            if (board === undefined) return
            const addition = { window_start: "0001-01-01", units: 7n, reached_at: world.clock.now() }
            yield* db.leaderboardScores.add([
              {
                boards: [{ leaderboard_id: id, version: board.version }],
                additions: users.map((app_user_id) => ({ app_user_id, ...addition })),
              },
            ])
            // What is wrong is made right by a rebuild.
            yield* db.outbox.replace(
              "leaderboards.rebuild",
              { leaderboard_id: id, version: board.version, after_user_id: null },
              ["leaderboard_id"],
            )
          })
        const run = (one: Step): Effect.Effect<unknown, unknown> => {
          const id = "board" in one ? (ids[one.board] ?? "") : ""
          if (one.do === "record") {
            const event = {
              event_name: one.event,
              properties: { points: one.points / 10 },
              occurred_at: `2026-02-${one.day}T10:00:00Z`,
            }
            return core.events.record(projectId, { ...event, app_user_id: userOf(one.user) })
          }
          if (one.do === "award")
            return core.background.transact(projectId, (db) =>
              Effect.gen(function* () {
                const known = yield* db.users.lockMany([userOf(one.user)])
                yield* db.xpEntries.insertMany(
                  known.map((app_user_id) => anXpEntry({ app_user_id, amount: one.amount, is_ranked: false })),
                )
                yield* db.outbox.add("leaderboards.xp", {})
              }),
            )
          if (one.do === "process")
            return Effect.all([core.background.process(projectId), other.background.process(projectId)], {
              concurrency: 2,
            })
          if (one.do === "rebuild") return leaderboards.rebuild(projectId, id)
          if (one.do === "change") return other.leaderboards.update(projectId, id, one.to)
          if (one.do === "disable")
            return core.users.change(projectId, userOf(one.user), { is_disabled: one.is_disabled })
          if (one.do === "remove") return core.users.remove(projectId, userOf(one.user))
          return world.tenants.transact(projectId, corrupt(id))
        }
        for (const round of rounds)
          await world.run(Effect.forEach(round, (one) => Effect.exit(run(one)), { concurrency: "unbounded" }))
        await world.runPending()
        expect(await Promise.all(ids.map(differences))).toEqual([0, 0])
        expect(await world.run(core.deadLetters.list(projectId, { limit: 1, offset: 0 }))).toMatchObject({ total: 0 })
        expect(Object.keys(makeLeaderboardsWork(world.ports).handlers ?? {})).toHaveLength(3)
      },
    ),
    { numRuns: 150 },
  )
})
