import type { StreakDefinition } from "./definition.ts"

/** The part of a definition that decides how a run continues. */
export type RunRules = Pick<StreakDefinition, "freeze_enabled" | "max_freezes" | "freezes_per_n_events">

/** A run of periods, as far as it is settled. Periods are numbers; consecutive periods have consecutive numbers. */
export interface Run {
  readonly count: number
  readonly longest: number
  readonly freezes: number
  /** The last period that was done; null before the first. */
  readonly last: number | null
  /** The last period that has been accounted for, done or missed; null before the first. */
  readonly settled: number | null
}

/** Freezes that were granted, and the first period that they could cover. */
export interface Grant {
  readonly from: number
  readonly count: number
}

/** A run together with the missed periods that took a freeze on the way to it. */
export interface Step {
  readonly run: Run
  readonly frozen: ReadonlyArray<number>
}

/** The run of a new user: with the most freezes when they are enabled and not earned, else with none [E2]. */
export const newRun = (rules: RunRules): Run => ({
  count: 0,
  longest: 0,
  freezes: rules.freeze_enabled && rules.freezes_per_n_events === null ? rules.max_freezes : 0,
  last: null,
  settled: null,
})

/** Adds granted freezes, up to the cap. Freezes above a lowered cap are kept. */
export const grantFreezes = (rules: RunRules, run: Run, count: number): Run => ({
  ...run,
  freezes: Math.max(run.freezes, Math.min(rules.max_freezes, run.freezes + count)),
})

/**
 * Accounts for every period up to and including `through` as missed. Each uses a freeze, oldest first, so all freezes are
 * spent even when there are too few. The first period without a freeze breaks the run (count 0) [E2]. A broken run stays
 * settled where it broke.
 */
export const settle = (rules: RunRules, run: Run, through: number): Step => {
  const frozen: Array<number> = []
  let { count, freezes, settled } = run
  if (settled === null) return { run, frozen }
  while (count > 0 && settled < through) {
    settled += 1
    if (rules.freeze_enabled && freezes > 0) {
      freezes -= 1
      frozen.push(settled)
    } else count = 0
  }
  return { run: { ...run, count, freezes, settled }, frozen }
}

/**
 * Counts `period`, which is later than everything settled. The same period again changes nothing. A freeze is earned
 * whenever the count reaches a multiple of `freezes_per_n_events` [E2].
 */
export const advance = (rules: RunRules, run: Run, period: number): Step => {
  if (run.last !== null && period <= run.last) return { run, frozen: [] }
  const before = settle(rules, run, period - 1)
  const count = before.run.count + 1
  const every = rules.freezes_per_n_events
  const earned = rules.freeze_enabled && every !== null && count % every === 0 ? 1 : 0
  const counted = { ...before.run, count, longest: Math.max(before.run.longest, count), last: period, settled: period }
  return { run: earned === 1 ? grantFreezes(rules, counted, 1) : counted, frozen: before.frozen }
}

/**
 * The run of the done `periods` (ascending, each once) and the `grants`, settled up to `through` when that is later than the
 * last period and the run has not broken before. A grant is added before the first missed period that it could cover. Every
 * stored streak must equal this; `advance` and `settle` do the same in smaller steps.
 */
export const fold = (
  rules: RunRules,
  periods: ReadonlyArray<number>,
  grants: ReadonlyArray<Grant> = [],
  through: number | null = null,
): Step => {
  const waiting = [...grants].sort((a, b) => a.from - b.from)
  const frozen: Array<number> = []
  let run = newRun(rules)
  const settleWithGrants = (end: number) => {
    for (let next = waiting[0]; next !== undefined && next.from <= end; next = waiting[0]) {
      waiting.shift()
      const step = settle(rules, run, Math.min(end, next.from - 1))
      frozen.push(...step.frozen)
      run = grantFreezes(rules, step.run, next.count)
    }
    const step = settle(rules, run, end)
    frozen.push(...step.frozen)
    run = step.run
  }
  for (const period of periods) {
    settleWithGrants(period - 1)
    run = advance(rules, run, period).run
  }
  if (through !== null) settleWithGrants(through)
  for (const grant of waiting) run = grantFreezes(rules, run, grant.count)
  return { run, frozen }
}
