import {
  conditionOf,
  type EventRule,
  type EventSpan,
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
import { measureSql, propertySql, whereSql } from "./segment-rules.ts"

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

/** The first property that an event must equal for a rule, and what else is asked of it. */
interface Equality {
  readonly path: ReadonlyArray<string>
  /** As JSON. */
  readonly value: string
  readonly rest: RuleGroup
}

const findEquality = (where: RuleGroup | undefined): Equality | null => {
  if (where?.operator !== "AND") return null
  for (const condition of where.conditions) {
    if (!("field" in condition)) continue
    const { target, test, isNegated } = conditionOf(condition)
    if (target.kind !== "property" || test.kind !== "is" || isNegated) continue
    const conditions = where.conditions.filter((other) => other !== condition)
    return { path: target.path, value: JSON.stringify(test.value), rest: { operator: "AND", conditions } }
  }
  return null
}

/**
 * What one query measures: rules with the same condition and the same sum, up to the value of an equality. Name and span are values
 * of the query.
 */
interface Shape {
  readonly key: string
  readonly equality: Equality | null
}

const shapeOf = (rule: EventRule): Shape => {
  const equality = findEquality(rule.where)
  const condition = equality === null ? [rule.where ?? null] : [equality.rest, equality.path]
  return { key: JSON.stringify([condition, "sum" in rule ? rule.sum.property : null]), equality }
}

/** What is measured by one query. */
type Part = ReadonlyArray<Wanted & { readonly shape: Shape }>

const listParts = (wanted: ReadonlyArray<Wanted>): ReadonlyArray<Part> => {
  const shapes = new Map<EventRule, Shape>()
  const shaped = wanted.map((each) => {
    const shape = shapes.get(each.rule) ?? shapeOf(each.rule)
    shapes.set(each.rule, shape)
    return { ...each, shape }
  })
  return [...Map.groupBy(shaped, ({ shape }) => shape.key).values()]
}

interface Compiling {
  readonly now: Date
  readonly bindings: Bindings
  /** The number of a rule in the answer. */
  readonly keyAt: (rule: EventRule) => number
}

interface Span extends EventSpan {
  readonly user_id: string
}

/** The arguments of `unnest` for users, names and spans. */
const bindSpans = (spans: ReadonlyArray<Span>, { bindAll }: Bindings): ReadonlyArray<string> => [
  bindAll(
    spans.map(({ user_id }) => user_id),
    "uuid",
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

const unnest = (arrays: ReadonlyArray<string>): string => `unnest(${arrays.map(opaque).join(", ")})`

const ofSpan = (given: string, where: RuleGroup | undefined, { now, bindings }: Compiling): string => `
  e.app_user_id = ${given}.user_id and e.event_name = ${given}.event
    and e.occurred_at >= ${given}.since and e.occurred_at <= ${given}.until
    ${where === undefined ? "" : `and (${whereSql(where, now, bindings.bind)})`}`

const plainSql = (part: Part, rule: EventRule, compiling: Compiling) => {
  const { bindings, keyAt, now } = compiling
  const spans = part.map((each) => ({ user_id: each.user_id, ...eventSpan(each.rule, now) }))
  const keys = bindings.bindAll(
    part.map((each) => keyAt(each.rule)),
    "int",
  )
  return `
    select w.user_id, w.key_at, m.measure
    from ${unnest([...bindSpans(spans, bindings), keys])} as w (user_id, event, since, until, key_at) cross join lateral (
      select ${measureSql(rule, bindings.bind)} as measure from engagement_events e where ${ofSpan("w", rule.where, compiling)}
    ) m where m.measure <> 0`
}

// Bytes. No value of a rule is larger: so what is, equals none, and is not kept while an end user's events are grouped.
const largestValue = 4_096

const formatSpan = ({ user_id, event, since, until }: Span) =>
  JSON.stringify([user_id, event, since?.getTime() ?? null, until?.getTime() ?? null])

/**
 * A user's events are read once for all values of the equality. Grouped with what was found, and not joined to it: the planner does
 * not know how many there are of either.
 */
const groupedSql = (part: Part, rule: EventRule, { path, rest }: Equality, compiling: Compiling) => {
  const { bindings, keyAt, now } = compiling
  const spans = new Map<string, { readonly at: number; readonly span: Span }>()
  const spanAts = part.map((each) => {
    const span = { user_id: each.user_id, ...eventSpan(each.rule, now) }
    const key = formatSpan(span)
    const known = spans.get(key) ?? { at: spans.size + 1, span }
    spans.set(key, known)
    return known.at
  })
  const { bind, bindAll } = bindings
  const value = propertySql("e.properties", path, bind)
  const given = [
    bindAll(
      part.map(({ user_id }) => user_id),
      "uuid",
    ),
    bindAll(spanAts, "int"),
    bindAll(
      part.map(({ shape }) => shape.equality?.value ?? "null"),
      "jsonb",
    ),
    bindAll(
      part.map((each) => keyAt(each.rule)),
      "int",
    ),
  ]
  const listed = bindSpans(
    [...spans.values()].map(({ span }) => span),
    bindings,
  )
  return `
    select user_id, unnest(keys) as key_at, measure from (
      select user_id, max(measure) as measure, array_agg(key_at) filter (where key_at is not null) as keys from (
        select s.user_id, s.at::int, m.value, m.measure, null::int as key_at
        from ${unnest(listed)} with ordinality as s (user_id, event, since, until, at) cross join lateral (
          select case when pg_column_size(${value}) <= ${largestValue} then ${value} end as value,
            ${measureSql(rule, bind)} as measure
          from engagement_events e where ${ofSpan("s", rest, compiling)} group by 1
        ) m
        union all
        select w.user_id, w.at, w.value, null, w.key_at from ${unnest(given)} as w (user_id, at, value, key_at)
      ) both_kinds group by user_id, at, value
    ) found where measure <> 0`
}

const partSql = (part: Part, compiling: Compiling): string => {
  const [first] = part
  if (first === undefined) throw new TypeError("There is nothing to measure.")
  const { rule, shape } = first
  const values = new Set(part.map((each) => each.shape.equality?.value))
  return shape.equality === null || values.size === 1
    ? plainSql(part, rule, compiling)
    : groupedSql(part, rule, shape.equality, compiling)
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
  const keyAt = (rule: EventRule) => at.get(measureKey(rule)) ?? -1
  for (const some of chunk(listParts(wanted), partsPerStatement)) {
    const bindings = makeBindings()
    const text = some.map((part) => partSql(part, { now, bindings, keyAt })).join(" union all ")
    for (const { user_id, key_at, measure } of yield* statements.rows<MeasureRow>(text, bindings.values)) {
      const own = measures.get(user_id) ?? new Map<string, number>()
      measures.set(user_id, own.set(keys[key_at] ?? "", measure))
    }
  }
  return measures
})
