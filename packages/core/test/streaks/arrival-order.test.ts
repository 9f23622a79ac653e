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

/** Lessons of two weeks, before and after the user has moved, and in which of four calls each of them arrives. */
const anyMove = fc.uniqueArray(
  fc.record({
    quarter: fc.integer({ min: 0, max: 14 * 24 * 4 - 1 }),
    call: fc.integer({ min: 0, max: 3 }),
    hasMoved: fc.boolean(),
  }),
  { minLength: 1, maxLength: 14, selector: ({ quarter }) => quarter },
)

it("days that were done stay done when the zone changes, and then too any order of arrival ends the same", async () => {
  const zones = fc.constantFrom("UTC", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Kiritimati")
  await fc.assert(
    fc.asyncProperty(zones, zones, anyMove, async (from, to, lessons) => {
      const live = async (cut: (part: typeof lessons) => ReadonlyArray<typeof lessons>) => {
        const world = await streakWorld({}, { startAt: "2026-03-15T12:00:00.000Z", timezone: from })
        const [before, after] = [false, true].map((hasMoved) => lessons.filter((each) => each.hasMoved === hasMoved))
        const view = async () => ((await world.stored()) === null ? null : await world.own())
        const done = async () =>
          (await view())?.periods.flatMap((each) => (each.status === "done" ? [each.period_start] : [])) ?? []
        for (const call of cut(before ?? [])) await world.lessons(...call.map(formatInstant).toSorted())
        const kept = await done()
        await world.moveTo(to)
        world.world.clock.advance("1 second")
        for (const call of cut(after ?? [])) {
          await world.lessons(...call.map(formatInstant).toSorted())
          expect(await done()).toEqual(expect.arrayContaining([...kept]))
        }
        return { done: await done(), count: (await view())?.current_count }
      }
      const inOrder = await live((part) => (part.length === 0 ? [] : [part]))
      const shuffled = await live((part) => [...Map.groupBy(part, ({ call }) => call).values()])
      expect(shuffled).toEqual(inOrder)
    }),
    { numRuns: 200 },
  )
})
