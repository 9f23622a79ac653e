import {
  type EventRule,
  eventRules,
  eventSpan,
  measureKey,
  type RuleGroup,
  type UserRules,
} from "@hearth/core/segments"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { type Bindings, makeBindings } from "../sql/bindings.ts"
import { opaque } from "../sql/opaque.ts"
import { measureSql, whereSql } from "./segment-rules.ts"

/** A user for whom a rule is measured. */
interface Wanted {
  readonly user_id: string
  readonly rule: EventRule
}

interface MeasureRow {
  readonly user_id: string
  readonly key_at: number
  readonly measure: number
}

// Planning a statement of so many parts takes as long as running it.
const partsPerStatement = 50

/** What is measured for each user: every rule that measures something else, once. */
const listWanted = (users: ReadonlyArray<UserRules>): ReadonlyArray<Wanted> => {
  const rulesOf = new Map<RuleGroup, ReadonlyArray<EventRule>>()
  const listRules = (tree: RuleGroup) => {
    const known = rulesOf.get(tree) ?? eventRules(tree)
    rulesOf.set(tree, known)
    return known
  }
  return users.flatMap(({ user_id, rules }) => {
    const distinct = new Map<string, EventRule>()
    for (const tree of rules) for (const rule of listRules(tree)) distinct.set(measureKey(rule), rule)
    return [...distinct.values()].map((rule) => ({ user_id, rule }))
  })
}

/** Rules with the same condition and the same sum are measured by one query: name and span are values of it. */
const formatShape = (rule: EventRule): string =>
  JSON.stringify([rule.where ?? null, "sum" in rule ? rule.sum.property : null])

const partSql = (wanted: ReadonlyArray<Wanted>, at: ReadonlyMap<string, number>, now: Date, bindings: Bindings) => {
  const { bind, bindAll } = bindings
  const rule = wanted[0]?.rule
  if (rule === undefined) throw new TypeError("There is nothing to measure.")
  const spans = wanted.map((each) => eventSpan(each.rule, now))
  const given = [
    bindAll(
      wanted.map(({ user_id }) => user_id),
      "uuid",
    ),
    bindAll(
      wanted.map((each) => at.get(measureKey(each.rule)) ?? -1),
      "int",
    ),
    bindAll(
      spans.map(({ event }) => event),
      "text",
    ),
    bindAll(
      spans.map(({ since }) => since?.toISOString() ?? "-infinity"),
      "timestamptz",
    ),
    bindAll(
      spans.map(({ until }) => until?.toISOString() ?? "infinity"),
      "timestamptz",
    ),
  ]
  return `
    select w.user_id, w.key_at, m.measure
    from unnest(${given.map(opaque).join(", ")}) as w (user_id, key_at, event, since, until) cross join lateral (
      select ${measureSql(rule, bind)} as measure from engagement_events e
      where e.app_user_id = w.user_id and e.event_name = w.event
        and e.occurred_at >= w.since and e.occurred_at <= w.until
        ${rule.where === undefined ? "" : `and (${whereSql(rule.where, now, bind)})`}
    ) m where m.measure <> 0`
}

const chunk = <Item>(items: ReadonlyArray<Item>, size: number): ReadonlyArray<ReadonlyArray<Item>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** What the rules of users count or sum at `now`, by user and `measureKey`. What is 0 is left out. */
export const readMeasures = Effect.fnUntraced(function* (
  statements: Statements,
  users: ReadonlyArray<UserRules>,
  now: Date,
) {
  const wanted = listWanted(users)
  const keys = [...new Set(wanted.map(({ rule }) => measureKey(rule)))]
  const at = new Map(keys.map((key, index) => [key, index]))
  const measures = new Map<string, Map<string, number>>()
  const parts = [...Map.groupBy(wanted, ({ rule }) => formatShape(rule)).values()]
  for (const some of chunk(parts, partsPerStatement)) {
    const bindings = makeBindings()
    const text = some.map((part) => partSql(part, at, now, bindings)).join(" union all ")
    for (const { user_id, key_at, measure } of yield* statements.rows<MeasureRow>(text, bindings.values)) {
      const own = measures.get(user_id) ?? new Map<string, number>()
      measures.set(user_id, own.set(keys[key_at] ?? "", measure))
    }
  }
  return measures
})
