import fc from "fast-check"
import { expect, it } from "vitest"
import { advance, fold, type Grant, grantFreezes, newRun, type Run, type RunRules, settle } from "./run.ts"

const anyRules: fc.Arbitrary<RunRules> = fc.record({
  freeze_enabled: fc.boolean(),
  max_freezes: fc.integer({ min: 0, max: 4 }),
  freezes_per_n_events: fc.option(fc.integer({ min: 1, max: 4 })),
})

const anyPeriods = fc
  .uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 25 })
  .map((periods) => periods.sort((a, b) => a - b))

const anyGrants = fc.array(
  fc.record({ from: fc.integer({ min: -2, max: 35 }), count: fc.integer({ min: 1, max: 3 }) }),
  { maxLength: 4 },
)

/** An independent implementation of the rules: day by day, with nothing settled in advance. */
const walkDays = (rules: RunRules, done: ReadonlyArray<number>, grants: ReadonlyArray<Grant>, lastDay: number) => {
  let freezes = rules.freeze_enabled && rules.freezes_per_n_events === null ? rules.max_freezes : 0
  let count = 0
  let longest = 0
  const frozen: Array<number> = []
  const add = (more: number) => {
    freezes = Math.min(rules.max_freezes, freezes + more)
  }
  for (let day = -10; day <= lastDay; day += 1) {
    for (const grant of grants) if (grant.from === day) add(grant.count)
    if (done.includes(day)) {
      count += 1
      longest = Math.max(longest, count)
      if (rules.freeze_enabled && rules.freezes_per_n_events !== null && count % rules.freezes_per_n_events === 0)
        add(1)
    } else if (count > 0 && rules.freeze_enabled && freezes > 0) {
      freezes -= 1
      frozen.push(day)
    } else count = 0
  }
  for (const grant of grants) if (grant.from > lastDay) add(grant.count)
  return { count, longest, freezes, frozen }
}

it("folds to what the day-by-day implementation gives", () => {
  const lastDays = fc.integer({ min: 30, max: 40 })
  fc.assert(
    fc.property(anyRules, anyPeriods, anyGrants, lastDays, (rules, done, grants, lastDay) => {
      const { run, frozen } = fold(rules, done, grants, lastDay)
      const { count, longest, freezes } = run
      expect({ count, longest, freezes, frozen }).toEqual(walkDays(rules, done, grants, lastDay))
      expect(run.last).toBe(done.at(-1) ?? null)
    }),
    { numRuns: 2_000 },
  )
})

/** What may happen on a day: the streak is expired, freezes are granted, the day is done. */
const anyLife = fc.array(
  fc.record({
    isExpired: fc.boolean(),
    granted: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 6 }),
    isDone: fc.boolean(),
  }),
  { maxLength: 30 },
)

it("is the same whether it is settled every day, now and then, or all at once", () => {
  fc.assert(
    fc.property(anyRules, anyLife, (rules, life) => {
      let run: Run = newRun(rules)
      const frozen: Array<number> = []
      const done: Array<number> = []
      const grants: Array<Grant> = []
      const take = (step: { readonly run: Run; readonly frozen: ReadonlyArray<number> }) => {
        run = step.run
        frozen.push(...step.frozen)
      }
      for (const [today, { isExpired, granted, isDone }] of life.entries()) {
        if (isExpired || granted !== null) take(settle(rules, run, today - 1))
        if (granted !== null && run.settled !== null) {
          // As grant-shield does it: a broken run is settled up to here as well.
          const settled = Math.max(run.settled, today - 1)
          run = grantFreezes(rules, { ...run, settled }, granted)
          grants.push({ from: settled + 1, count: granted })
        }
        if (!isDone) continue
        done.push(today)
        take(advance(rules, run, today))
      }
      const folded = fold(rules, done, grants, run.settled)
      const settled = run.count > 0 ? run.settled : folded.run.settled
      expect(folded).toEqual({ run: { ...run, settled }, frozen })
    }),
    { numRuns: 2_000 },
  )
})

it("counts no period twice and never lets the longest fall, whatever comes", () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 3 })), { maxLength: 40 })
  fc.assert(
    fc.property(anyRules, steps, (rules, moves) => {
      let run: Run = newRun(rules)
      let period = 0
      for (const [isDone, by] of moves) {
        period += by
        const next = isDone ? advance(rules, run, period).run : settle(rules, run, period - 1).run
        expect(next.longest).toBeGreaterThanOrEqual(Math.max(run.longest, next.count))
        expect(next.count).toBeLessThanOrEqual(run.count + 1)
        expect(next.freezes).toBeGreaterThanOrEqual(0)
        expect(next.freezes).toBeLessThanOrEqual(rules.max_freezes)
        expect(advance(rules, next, next.last ?? 0).run).toEqual(next.last === null ? expect.anything() : next)
        run = next
      }
    }),
  )
})
