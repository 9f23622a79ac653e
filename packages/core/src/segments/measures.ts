import { summedPath } from "./fields.ts"
import { readDuration } from "./instants.ts"
import type { EventRule } from "./rules.ts"

/** Events of this name with `since` ≤ `occurred_at` ≤ `until`; null is no bound. */
export interface EventSpan {
  readonly event: string
  readonly since: Date | null
  readonly until: Date | null
}

const keys = new WeakMap<EventRule, string>()

/** What a parsed rule counts or sums, as text: rules that measure the same, and differ only in what they ask for, have the same. */
export const measureKey = (rule: EventRule): string => {
  const known = keys.get(rule)
  if (known !== undefined) return known
  const summed = "sum" in rule ? summedPath(rule.sum.property) : null
  const key = JSON.stringify([rule.event, rule.within ?? null, rule.where ?? null, summed])
  keys.set(rule, key)
  return key
}

/** The events that a rule is about at `now`, but for `where`. */
export const eventSpan = ({ event, within }: EventRule, now: Date): EventSpan => {
  const millis = within === undefined ? null : readDuration(within)
  return millis === null
    ? { event, since: null, until: null }
    : { event, since: new Date(now.getTime() - millis), until: now }
}
