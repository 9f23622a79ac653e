import type { StreakDefinition } from "../definition.ts"

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

/** Adds granted freezes, up to the cap, also where that was lowered below what there is. */
export const grantFreezes = (rules: RunRules, run: Run, count: number): Run => ({
  ...run,
  freezes: Math.min(rules.max_freezes, run.freezes + count),
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

/** A run on its way through periods, and the grants that it has not come to, by their first period. */
export interface Fold {
  readonly run: Run
  readonly waiting: ReadonlyArray<Grant>
}

/** A fold together with the missed periods that took a freeze on the way to it. */
export interface FoldStep {
  readonly fold: Fold
  readonly frozen: ReadonlyArray<number>
}

/** Begins a fold at a run; after a done period, with the grants that could first cover a later one. */
export const beginFold = (run: Run, grants: ReadonlyArray<Grant>): Fold => ({
  run,
  waiting: grants.filter(({ from }) => run.last === null || from > run.last).toSorted((a, b) => a.from - b.from),
})

/** Leaves out the period after `last`, the last done one: it is neither done nor missed. */
export const skipPeriod = (fold: Fold, last: number): Fold => ({
  ...fold,
  run: { ...fold.run, last: last + 1, settled: last + 1 },
})

/** Settles the run as `settle` does. A grant is added before the first missed period that it could cover. */
export const settleFold = (rules: RunRules, fold: Fold, through: number): FoldStep => {
  const frozen: Array<number> = []
  let { run } = fold
  let passed = 0
  for (const { from, count } of fold.waiting) {
    if (from > through) break
    const step = settle(rules, run, from - 1)
    frozen.push(...step.frozen)
    run = grantFreezes(rules, step.run, count)
    passed += 1
  }
  const step = settle(rules, run, through)
  frozen.push(...step.frozen)
  return { fold: { run: step.run, waiting: passed === 0 ? fold.waiting : fold.waiting.slice(passed) }, frozen }
}

/** Counts `period` as `advance` does, with the grants up to it. */
export const advanceFold = (rules: RunRules, fold: Fold, period: number): FoldStep => {
  const settled = settleFold(rules, fold, period - 1)
  let { run } = settled.fold
  const [reached, waiting] = [settled.fold.waiting.filter(({ from }) => from <= period), settled.fold.waiting]
  for (const { count } of reached) run = grantFreezes(rules, run, count)
  return {
    fold: {
      run: advance(rules, run, period).run,
      waiting: reached.length === 0 ? waiting : waiting.slice(reached.length),
    },
    frozen: settled.frozen,
  }
}

/** Settles the run as far as `through` (null: not at all) and adds the grants that are left: they wait for what will be missed. */
export const endFold = (rules: RunRules, fold: Fold, through: number | null): Step => {
  const settled = through === null ? { fold, frozen: [] } : settleFold(rules, fold, through)
  const run = settled.fold.waiting.reduce((before, { count }) => grantFreezes(rules, before, count), settled.fold.run)
  return { run, frozen: settled.frozen }
}

/**
 * The run of the done `periods` (ascending, each once) and the `grants`, settled up to `through` when that is later than the
 * last period and the run has not broken before. Every stored streak must equal this; `advance` and `settle` do the same in
 * smaller steps.
 */
export const fold = (
  rules: RunRules,
  periods: ReadonlyArray<number>,
  grants: ReadonlyArray<Grant> = [],
  through: number | null = null,
): Step => {
  const frozen: Array<number> = []
  let state = beginFold(newRun(rules), grants)
  for (const period of periods) {
    const step = advanceFold(rules, state, period)
    frozen.push(...step.frozen)
    state = step.fold
  }
  const end = endFold(rules, state, through)
  return { run: end.run, frozen: [...frozen, ...end.frozen] }
}
