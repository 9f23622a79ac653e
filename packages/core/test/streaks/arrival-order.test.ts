import type { NewStreakDefinition } from "@hearth/core/streaks"
import fc from "fast-check"
import { expect, it } from "vitest"
import { streakWorld } from "./world.ts"

const anyRules = fc.record({
  period: fc.constantFrom<NewStreakDefinition["period"]>("daily", "daily", "weekly"),
  grace_period_hours: fc.constantFrom(0, 5, 30, 200),
  freeze_enabled: fc.boolean(),
  max_freezes: fc.integer({ min: 0, max: 3 }),
  freezes_per_n_events: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
})

const firstDay = Date.UTC(2026, 2, 1)
const quarterHour = 15 * 60_000

/** Lessons of two weeks, and in which of five calls each of them arrives. */
const anyLessons = fc.uniqueArray(
  fc.record({ quarter: fc.integer({ min: 0, max: 14 * 24 * 4 - 1 }), call: fc.integer({ min: 0, max: 4 }) }),
  { minLength: 1, maxLength: 14, selector: ({ quarter }) => quarter },
)

const formatInstant = ({ quarter }: { readonly quarter: number }) =>
  new Date(firstDay + quarter * quarterHour).toISOString()

const after = async (
  rules: Partial<NewStreakDefinition>,
  timezone: string,
  calls: ReadonlyArray<ReadonlyArray<string>>,
) => {
  const { lessons, runPending, own } = await streakWorld(rules, { startAt: "2026-03-15T12:00:00.000Z", timezone })
  for (const instants of calls) {
    await lessons(...instants)
    await runPending()
  }
  const { current_count, longest_count, freezes_remaining, status, expires_at, periods } = await own()
  return { longest_count, streak: { current_count, freezes_remaining, status, expires_at, periods } }
}

it("a streak is the same whatever the order in which its events arrive, with or without polls in between", async () => {
  const zones = fc.constantFrom("UTC", "America/Los_Angeles", "Pacific/Kiritimati")
  await fc.assert(
    fc.asyncProperty(anyRules, zones, anyLessons, async (rules, zone, lessons) => {
      const inOrder = await after(rules, zone, [lessons.map(formatInstant).toSorted()])
      const byCall = Map.groupBy(lessons, ({ call }) => call)
      const shuffled = await after(
        rules,
        zone,
        [...byCall.values()].map((call) => call.map(formatInstant)),
      )
      expect(shuffled.streak).toEqual(inOrder.streak)
      // The longest never falls, so it may be from before a late event has moved a freeze.
      expect(shuffled.longest_count).toBeGreaterThanOrEqual(inOrder.longest_count)
    }),
    { numRuns: 100 },
  )
})
