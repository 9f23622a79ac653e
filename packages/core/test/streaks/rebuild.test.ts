import type { NewStreakDefinition } from "@hearth/core/streaks"
import fc from "fast-check"
import { expect, it } from "vitest"
import { streakWorld } from "./world.ts"

const anyRules = fc.record({
  period: fc.constantFrom<NewStreakDefinition["period"]>("daily", "daily", "daily", "weekly"),
  grace_period_hours: fc.constantFrom(0, 0, 5, 30),
  freeze_enabled: fc.constantFrom(true, true, false),
  max_freezes: fc.integer({ min: 0, max: 3 }),
  freezes_per_n_events: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
})

const zones = fc.constantFrom("UTC", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Kiritimati")

const anyStep = [
  { weight: 6, arbitrary: fc.constant({ name: "qualify" } as const) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant("late" as const), by: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 2, arbitrary: fc.constant({ name: "poll" } as const) },
]

/** What may happen, and how many hours after what happened before. */
const listsOf = <Step>(...more: ReadonlyArray<{ readonly weight: number; readonly arbitrary: fc.Arbitrary<Step> }>) =>
  fc.array(fc.record({ hours: fc.integer({ min: 0, max: 60 }), what: fc.oneof(...anyStep, ...more) }), {
    minLength: 1,
    maxLength: 20,
  })

type World = Awaited<ReturnType<typeof streakWorld>>

const takeStep = async (
  { world, qualify, lessons, runPending }: World,
  what: { readonly name: "qualify" } | { readonly name: "late"; readonly by: number } | { readonly name: "poll" },
) => {
  if (what.name === "qualify") await qualify()
  else if (what.name === "late") await lessons(new Date(+world.clock.now() - what.by * 3_600_000).toISOString())
  else await runPending()
}

type Own = Awaited<ReturnType<World["own"]>>

/** A streak without what a rebuild may change: when it was written, and how far a broken one was accounted for. */
const withoutNotes = ({ updated_at: _, definition: __, settled_period: ___, ...rest }: Own) => rest

it("a rebuild of a streak gives what was counted step by step", async () => {
  const anySteps = listsOf({ weight: 2, arbitrary: fc.constant({ name: "grant" } as const) })
  await fc.assert(
    fc.asyncProperty(anyRules, anyRules, zones, anySteps, async (rules, others, timezone, steps) => {
      const streak = await streakWorld(rules, { timezone })
      const { world, qualify, grant, runPending, update, own, history } = streak
      await qualify()
      for (const { hours, what } of steps) {
        world.clock.advance(hours * 3_600_000)
        if (what.name === "grant") await grant()
        else await takeStep(streak, what)
      }
      const before = withoutNotes(await own())
      const periods = await history()
      // By other rules everything is another streak; by the first ones it is the same again.
      await update(others)
      await runPending()
      await update(rules)
      await runPending()
      const after = withoutNotes(await own())
      expect({ ...after, longest_count: 0 }).toEqual({ ...before, longest_count: 0 })
      // The longest never falls, so it may be from the other rules.
      expect(after.longest_count).toBeGreaterThanOrEqual(before.longest_count)
      expect(await history()).toBe(periods)
    }),
    { numRuns: 60 },
  )
})

it("a rebuild gives what was counted also where the user has moved, once something is done in the last zone", async () => {
  const anySteps = listsOf({ weight: 2, arbitrary: fc.record({ name: fc.constant("move" as const), zone: zones }) })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), zones, anySteps, async (freeze_enabled, timezone, steps) => {
      const streak = await streakWorld({ freeze_enabled }, { timezone })
      const { world, qualify, moveTo, runPending, update, own } = streak
      await qualify()
      for (const { hours, what } of steps) {
        world.clock.advance(hours * 3_600_000)
        if (what.name === "move") await moveTo(what.zone)
        else await takeStep(streak, what)
      }
      world.clock.advance("1 minute")
      await qualify()
      const view = async () => {
        const { current_count, freezes_remaining, periods } = await own()
        return { current_count, freezes_remaining, done: periods.filter(({ status }) => status === "done") }
      }
      const before = await view()
      for (const grace_period_hours of [30, 0]) {
        await update({ grace_period_hours })
        await runPending()
      }
      expect(await view()).toEqual(before)
    }),
    { numRuns: 60 },
  )
})

it("an event at the instant of one that was counted before a move is of the day which that had, as in a rebuild", async () => {
  const streak = await streakWorld({ freeze_enabled: false }, { timezone: "UTC" })
  const { world, qualify, moveTo, lessons, runPending, update, history } = streak
  await qualify()
  world.clock.advance("9 hours")
  // Here it was the second of March at that noon.
  await moveTo("Pacific/Kiritimati")
  world.clock.advance("32 hours")
  await lessons("2026-03-01")
  await qualify()
  expect(await history()).toBe("x.x")
  for (const grace_period_hours of [30, 0]) {
    await update({ grace_period_hours })
    await runPending()
  }
  expect(await history()).toBe("x.x")
})

it("so it is after a move there and back, when the last day was done before it", async () => {
  const streak = await streakWorld({ freeze_enabled: false }, { timezone: "Pacific/Kiritimati" })
  const { world, qualify, moveTo, lessons, runPending, update, history } = streak
  await qualify()
  await moveTo("UTC")
  // It is still the second of March, which was done, and in Kiritimati the third.
  world.clock.advance("23 hours")
  await qualify()
  await moveTo("Pacific/Kiritimati")
  await lessons("2026-03-02T11:00:00Z")
  expect(await history()).toBe("x?")
  for (const grace_period_hours of [30, 0]) {
    await update({ grace_period_hours })
    await runPending()
  }
  expect(await history()).toBe("x?")
})
