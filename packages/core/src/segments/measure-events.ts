import { fromUnitsOfSum, toUnits } from "../currencies/money.ts"
import type { EngagementEvent } from "../events/event.ts"
import { readSummand } from "../events/summand.ts"
import { propertyAt } from "./facts.ts"
import { summedPath } from "./fields.ts"
import { nodeMatches } from "./matches.ts"
import { eventSpan } from "./measures.ts"
import type { EventRule, RuleGroup } from "./rules.ts"

/** Whether the `where` of a rule matches an event with these properties. */
const whereMatches = (where: RuleGroup, properties: EngagementEvent["properties"], now: Date): boolean =>
  nodeMatches(
    where,
    (target) => (target.kind === "property" ? propertyAt(properties, target.path) : null),
    () => false,
    now,
  )

/** The exact sum of what some values add [G0.8], as the number nearest to it. */
const sumExactly = (values: Iterable<unknown>): number => {
  let total = 0n
  for (const value of values) total += BigInt(toUnits(readSummand(value) ?? 0))
  return fromUnitsOfSum(total)
}

/** What a rule counts or sums of a user's events at `now` [G1.1]. A property test checks that the database answers the same. */
export const measureEvents = (
  rule: EventRule,
  events: ReadonlyArray<Pick<EngagementEvent, "event_name" | "occurred_at" | "properties">>,
  now: Date,
): number => {
  const { event, since, until } = eventSpan(rule, now)
  const measured = events.filter(
    ({ event_name, occurred_at, properties }) =>
      event_name === event &&
      (since === null || since <= occurred_at) &&
      (until === null || occurred_at <= until) &&
      (rule.where === undefined || whereMatches(rule.where, properties, now)),
  )
  const path = "sum" in rule ? (summedPath(rule.sum.property) ?? []) : null
  return path === null ? measured.length : sumExactly(measured.map(({ properties }) => propertyAt(properties, path)))
}
