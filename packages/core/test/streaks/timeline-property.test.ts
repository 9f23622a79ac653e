import type { NewStreakDefinition, StreakTimelineEntry } from "@hearth/core/streaks"
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

/** What may happen, and how many hours after what happened before. */
const anySteps = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 60 }),
    what: fc.oneof(
      { weight: 6, arbitrary: fc.constant({ name: "qualify" } as const) },
      { weight: 2, arbitrary: fc.record({ name: fc.constant("late" as const), by: fc.integer({ min: 1, max: 200 }) }) },
      { weight: 2, arbitrary: fc.constant({ name: "grant" } as const) },
      { weight: 2, arbitrary: fc.constant({ name: "poll" } as const) },
      { weight: 1, arbitrary: fc.record({ name: fc.constant("rules" as const), rules: anyRules }) },
      { weight: 2, arbitrary: fc.record({ name: fc.constant("move" as const), zone: zones }) },
    ),
  }),
  { minLength: 1, maxLength: 16 },
)

type Period = Extract<StreakTimelineEntry, { readonly period: string }>
const isPeriod = (entry: StreakTimelineEntry): entry is Period => "period" in entry

/** The freezes that each period leaves, from those of the one before it and what is between them; earliest first. */
const followFreezes = (timeline: ReadonlyArray<StreakTimelineEntry>, isStrict: boolean) => {
  let freezes: number | null = null
  for (const entry of timeline.toReversed()) {
    if (isPeriod(entry)) {
      const used = entry.kind === "frozen" ? 1 : 0
      if (isStrict && freezes !== null && entry.kind !== "done") expect(entry.freezes_after).toBe(freezes - used)
      freezes = entry.freezes_after
    } else if (entry.kind === "granted" && freezes !== null) freezes += entry.count
  }
  return freezes
}

it("a timeline equals what the streak holds, whatever has happened [G10.1]", async () => {
  await fc.assert(
    fc.asyncProperty(anyRules, zones, anySteps, async (rules, timezone, steps) => {
      const {
        world,
        projectId,
        userId,
        definition,
        qualify,
        lessons,
        grant,
        runPending,
        update,
        moveTo,
        own,
        history,
      } = await streakWorld(rules, { timezone })
      await qualify()
      for (const { hours, what } of steps) {
        world.clock.advance(hours * 3_600_000)
        if (what.name === "qualify") await qualify()
        else if (what.name === "late") await lessons(new Date(+world.clock.now() - what.by * 3_600_000).toISOString())
        else if (what.name === "grant") await grant()
        else if (what.name === "move") await moveTo(what.zone)
        else if (what.name === "rules") {
          await update(what.rules)
          await runPending()
        } else await runPending()
      }
      const key = { app_user_id: userId, streak_definition_id: definition.id }
      const timeline = await world.run(world.core.streaks.timelines.ofUser(projectId, key, 1_000))
      const { current_count, freezes_remaining } = await own()
      const periods = timeline.filter(isPeriod)
      expect(periods[0]?.count_after).toBe(current_count)
      // Between rules of days and of weeks a grant can be for a period that has not come: it is used before, or not counted yet.
      const isStrict = steps.every(({ what }) => what.name !== "rules")
      const followed = followFreezes(timeline, isStrict)
      if (isStrict) expect(followed).toBe(freezes_remaining)
      else {
        expect(freezes_remaining).toBeLessThanOrEqual(Number(followed))
        const settled = followFreezes(timeline.slice(timeline.findIndex(isPeriod)), isStrict)
        expect(freezes_remaining).toBeGreaterThanOrEqual(Number(settled))
      }
      const marks = { done: "x", frozen: "f", missed: ".", open: "?" }
      const shown = periods.slice(0, 30).map(({ kind }) => marks[kind])
      expect(shown.toReversed().join("")).toBe(await history())
      // A shorter one is the beginning of the longer one.
      const short = await world.run(world.core.streaks.timelines.ofUser(projectId, key, 3))
      expect(timeline.slice(0, short.length)).toEqual(short)
      expect(short.filter(isPeriod)).toHaveLength(Math.min(3, periods.length))
      for (const period of periods.filter(({ kind }) => kind === "done"))
        expect(period.events.length).toBeGreaterThan(0)
    }),
    { numRuns: 150 },
  )
})
