import { periodIndex } from "../../time/periods.ts"
import type { StreakDefinition } from "../definition.ts"
import { grantFreezes, newRun, type Run } from "../run/run.ts"
import type { StreakGrantRow, StreakPeriodRow } from "../streak-rows.ts"

/** How a period ended, or that it has not. */
export type PeriodKind = "done" | "frozen" | "missed" | "open"

/** A period on the way of a streak, and the count before and after it. */
export interface WalkedPeriod {
  readonly index: number
  readonly kind: PeriodKind
  /** When the event occurred that made a done period; null for all others. */
  readonly done_at: Date | null
  readonly count_before: number
  readonly count_after: number
  readonly freezes_after: number
}

/** Freezes that came between two periods: by a developer, or by the count that the period before reached. */
export interface WalkedFreezes {
  readonly kind: "granted" | "earned"
  readonly at: Date
  /** How many were added: a grant above the cap adds less. */
  readonly count: number
}

/** A step of a walk. */
export type WalkedStep = WalkedPeriod | WalkedFreezes

/** What a walk goes by. */
export interface Walk {
  readonly definition: StreakDefinition
  /** The stored periods, the earliest first, from a done one on or from the beginning. */
  readonly rows: ReadonlyArray<StreakPeriodRow>
  /** Periods that used a freeze and are not stored yet. */
  readonly frozen: ReadonlyArray<number>
  readonly grants: ReadonlyArray<StreakGrantRow>
  /** The first period that an event of now can still count for. */
  readonly open: number
  /** The last period that is accounted for. One after it that is not open was skipped by a move, and not missed so far; null is none. */
  readonly settled: number | null
  /** The last period of the walk. */
  readonly through: number
  /** So many of the last periods are wanted. Of those before them, some in which nothing changes are left out. */
  readonly wanted: number
}

interface State {
  readonly run: Run
  readonly steps: Array<WalkedStep>
}

const addGrants = ({ definition }: Walk, state: State, grants: ReadonlyArray<StreakGrantRow>): State => {
  let { run } = state
  for (const { granted_at, count } of grants) {
    const after = grantFreezes(definition, run, count)
    state.steps.push({ kind: "granted", at: granted_at, count: after.freezes - run.freezes })
    run = after
  }
  return { ...state, run }
}

const walkDone = ({ definition }: Walk, { run, steps }: State, index: number, row: StreakPeriodRow): State => {
  // Periods of earlier releases have no counts: until the streak is rebuilt they are what the rules make of them.
  const count = row.count_after ?? run.count + 1
  const freezes = row.freezes_after ?? run.freezes
  const every = definition.freezes_per_n_events
  const earned = every !== null && count % every === 0 ? Math.max(0, freezes - run.freezes) : 0
  const counts = { count_before: run.count, count_after: count, freezes_after: freezes }
  steps.push({ index, kind: "done", done_at: row.occurred_at, ...counts })
  if (earned > 0) steps.push({ kind: "earned", at: row.occurred_at, count: earned })
  return { run: { ...run, count, freezes }, steps }
}

/** Whether a run goes on in a done period as if the one before it had not been there: its user has moved to the east. */
const goesOn = ({ run }: State, next: StreakPeriodRow | undefined): boolean =>
  run.count > 0 && next !== undefined && next.count_after === run.count + 1

const walkUndone = (
  { run, steps }: State,
  index: number,
  kind: "frozen" | "missed" | "open",
  isSkipped = false,
): State => {
  const count = kind === "missed" && !isSkipped ? 0 : run.count
  const freezes = kind === "frozen" ? Math.max(0, run.freezes - 1) : run.freezes
  steps.push({ index, kind, done_at: null, count_before: run.count, count_after: count, freezes_after: freezes })
  return { run: { ...run, count, freezes }, steps }
}

/**
 * Follows a streak from period to period, the earliest first: what each has made of its count and its freezes [G10.1]. A grant
 * stands before the first period that it could cover. Counts are those that are stored with done periods; what is between them
 * follows from the rules.
 */
export const walkPeriods = (walk: Walk): ReadonlyArray<WalkedStep> => {
  const { definition, open, settled, through, wanted } = walk
  const indexOf = (key: string) => periodIndex(definition.period, key)
  const done = new Map<number, StreakPeriodRow>()
  const frozen = new Set(walk.frozen)
  for (const row of walk.rows) {
    if (row.kind === "done") done.set(indexOf(row.period_key), row)
    else frozen.add(indexOf(row.period_key))
  }
  const [firstRow] = walk.rows
  const first = firstRow === undefined ? through : indexOf(firstRow.period_key)
  const grants = walk.grants.map((grant) => ({ grant, from: indexOf(grant.from_period) }))
  const isBase = firstRow?.kind === "done" && firstRow.count_after !== null
  const marks = [...done.keys(), ...frozen, ...grants.map(({ from }) => from)].toSorted((a, b) => a - b)
  let passed = 0
  // A stretch without anything may be a thousand years long: one event can have any date. One period more than is wanted is
  // kept, so that whoever cuts the steps sees that there are more.
  const nextOf = (index: number, { run }: State): number => {
    if (run.count > 0) return index + 1
    while ((marks[passed] ?? through) <= index && passed < marks.length) passed += 1
    return Math.max(index + 1, Math.min(marks[passed] ?? through, through - wanted))
  }
  let state: State = { run: newRun(definition), steps: [] }
  for (let index = first; index <= through; index = nextOf(index, state)) {
    const row = done.get(index)
    // What was granted before the first of the periods is in its counts already.
    const isBefore = (from: number) => from === index || (index === first && !isBase && from < index)
    const due = isBase && index === first ? [] : grants.filter(({ from }) => isBefore(from))
    state = addGrants(
      walk,
      state,
      due.map(({ grant }) => grant),
    )
    if (row !== undefined) state = walkDone(walk, state, index, row)
    else if (frozen.has(index)) state = walkUndone(state, index, "frozen")
    else {
      const isSkipped = goesOn(state, done.get(index + 1)) || (settled !== null && index > settled)
      state = walkUndone(state, index, index >= open ? "open" : "missed", isSkipped)
    }
  }
  const ahead = grants.filter(({ from }) => from > through).map(({ grant }) => grant)
  return addGrants(walk, state, ahead).steps
}
