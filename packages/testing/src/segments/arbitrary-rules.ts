import { comparisons, countOps, parseRules } from "@hearth/core/segments"
import { Result } from "effect"
import fc from "fast-check"
import { timestamps } from "./arbitrary-values.ts"
import {
  achievementKeys,
  anyNumber,
  anyScalar,
  anyText,
  entitlementIds,
  events,
  instants,
  providers,
} from "./contract-users.ts"

const anyDuration = fc.constantFrom("1m", "24h", "1d", "7d", "10080m", "604800m", "36500d", "9999999m")
const anyInstantText = fc.constantFrom(
  ...instants.map((at) => at.toISOString()),
  ...timestamps.filter((text) => /^2026-03-01(T1[23]:00:00(\.\d{1,9})?(Z|\+01:00))?$/.test(text)),
  "2024-02-29",
  "0002-01-01",
  "9999-12-31T23:59:59Z",
)

const complemented = (positive: string, negative: string) => fc.constantFrom(positive, negative)
const existence = (field: string) => fc.record({ field: fc.constant(field), op: complemented("exists", "not_exists") })
const rule = (field: string, op: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.record({ field: fc.constant(field), op, value })
const anyEquality = complemented("eq", "neq")
const anyContains = complemented("contains", "not_contains")
const anyWithin = complemented("within", "not_within")
const anyOrder = fc.constantFrom(...comparisons.filter((op) => op !== "eq"))

const paths = ["a", "b", "0", "A", "__proto__", "constructor", "toString", "🦊", "a b", "'", "{a}", "$1"]
const anyPath = fc.oneof(
  fc.constantFrom(...paths),
  fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...paths, "length")).map((both) => both.join(".")),
  fc.constantFrom("a.a.a", "a.b.a", "b.0.0", "0.0.0"),
)
const anyPropertyRule = anyPath.chain((path) => {
  const field = `properties.${path}`
  return fc.oneof(
    existence(field),
    rule(field, anyEquality, anyScalar),
    rule(field, anyContains, anyScalar),
    rule(field, anyOrder, fc.oneof(anyNumber, anyInstantText)),
    rule(field, anyWithin, anyDuration),
  )
})

const anyTextRule = fc
  .constantFrom("email", "display_name", "anonymous_id", "external_id", "avatar_url", "timezone", "id")
  .chain((field) => fc.oneof(existence(field), rule(field, anyEquality, anyText), rule(field, anyContains, anyText)))
const anyTimestampRule = fc
  .constantFrom("first_seen_at", "last_seen_at", "created_at", "updated_at", "email_verified_at")
  .chain((field) =>
    fc.oneof(
      existence(field),
      rule(field, fc.oneof(anyEquality, anyOrder), anyInstantText),
      rule(field, anyWithin, anyDuration),
    ),
  )
const anyFlagRule = fc
  .constantFrom(
    "is_disabled",
    ...entitlementIds.map((id) => `entitlements.${id}`),
    "entitlements.none",
    ...achievementKeys.map((key) => `achievements.${key}`),
    "achievements.none",
  )
  .chain((field) => fc.oneof(existence(field), rule(field, anyEquality, fc.boolean())))
const anyListRule = rule("auth_providers", anyContains, fc.constantFrom(...providers, "x", ""))
const anyStreakRule = (definitions: ReadonlyArray<string>) =>
  fc.constantFrom(...definitions).chain((definition) => {
    const field = `streaks.${definition}.current_count`
    return fc.oneof(existence(field), rule(field, fc.oneof(anyEquality, anyOrder), fc.oneof(anyNumber, fc.nat(5))))
  })
const anyXpRule = fc.oneof(
  existence("xp.total"),
  rule(
    "xp.total",
    fc.oneof(anyEquality, anyOrder),
    fc.oneof(anyNumber, fc.nat(5), fc.constantFrom(2_147_483_648, 9_007_199_254_740_991)),
  ),
)
const anyCurrencyRule = fc.constantFrom("ENERGY", "GEMS", "NONE", "a.b").chain((code) => {
  const balance = fc.constantFrom(0, 0.0001, 2.5, 5, 7.5, 7.5001, 10, 12, 899_999_999_999.9998, 900_000_000_000)
  const field = `currencies.${code}`
  return fc.oneof(existence(field), rule(field, fc.oneof(anyEquality, anyOrder), fc.oneof(balance, anyNumber)))
})
// Its properties are those of the event.
const anyWhereGroup = fc
  .array(anyPropertyRule, { maxLength: 2 })
  .chain((conditions) =>
    fc.constantFrom<object>(
      { operator: "AND", conditions },
      { any: conditions },
      { all: [{ operator: "NOT", conditions: [{ operator: "OR", conditions }] }] },
    ),
  )
const anyWhere = fc.oneof({ weight: 2, arbitrary: anyPropertyRule }, { weight: 3, arbitrary: anyWhereGroup })

const summedPaths = ["a", "b", "properties.a", "0", "a.b", "__proto__", "a.0", "length", "'", "$1"]
const anySum = fc.record({
  property: fc.constantFrom(...summedPaths),
  value: fc.constantFrom(0, 0.0001, 0.3, 1, 1.5, 2.675, 5, -1, 100.1234, 899_999_999_999.9999, 900_000_000_000),
})
const eventKeys = {
  event: fc.constantFrom(...events, "none"),
  op: fc.constantFrom(...countOps),
  within: anyDuration,
  where: anyWhere,
}
const anyEventRule = fc.oneof(
  fc.record({ ...eventKeys, count: fc.constantFrom(0, 1, 2, 3, 1_000_000_000) }, { requiredKeys: ["event", "count"] }),
  fc.record({ ...eventKeys, sum: anySum }, { requiredKeys: ["event", "sum"] }),
)

/** A property that some event has. */
export interface HeldProperty {
  readonly event: string
  readonly key: string
  readonly value: string | number | boolean
}

/** Rules that differ only in the event and in the value of a property that it must have. */
const anyEqualityFamily = (held: ReadonlyArray<HeldProperty>): fc.Arbitrary<ReadonlyArray<object>> => {
  const keys = [...new Set(held.map(({ key }) => key))]
  const ofOneKey = fc
    .constantFrom(...keys)
    .chain((key) => fc.subarray(held.filter((each) => each.key === key)))
    .map((some) => some.slice(0, 8))
  return fc
    .record({
      some: ofOneKey,
      other: fc.option(anyPropertyRule, { freq: 2 }),
      isFirst: fc.boolean(),
      asked: fc.oneof(fc.record({ count: fc.constantFrom(1, 2) }), fc.record({ sum: anySum })),
      more: fc.record({ op: eventKeys.op, within: eventKeys.within }, { requiredKeys: [] }),
    })
    .map(({ some, other, isFirst, asked, more }) =>
      some.map(({ event, key, value }) => {
        const one = { field: `properties.${key}`, op: "eq", value }
        const conditions = other === null ? [one] : isFirst ? [one, other] : [other, one]
        return { event, where: { all: conditions }, ...asked, ...more }
      }),
    )
}

/** Rules about events that must have one of the properties of `held`, in families. */
export const anyEqualityRules = (held: ReadonlyArray<HeldProperty>): fc.Arbitrary<ReadonlyArray<object>> =>
  fc.array(anyEqualityFamily(held), { minLength: 1, maxLength: 4 }).map((families) => families.flat())

/** Rules about users made by `anyUserFixture`. */
export const anyRule = (definitions: ReadonlyArray<string>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 8, arbitrary: anyPropertyRule },
    { weight: 3, arbitrary: anyTextRule },
    { weight: 2, arbitrary: anyTimestampRule },
    { weight: 2, arbitrary: anyFlagRule },
    { weight: 1, arbitrary: anyListRule },
    { weight: 2, arbitrary: anyStreakRule(definitions) },
    { weight: 1, arbitrary: anyXpRule },
    { weight: 2, arbitrary: anyCurrencyRule },
    { weight: 5, arbitrary: anyEventRule },
  )

/** Trees of rules about such users, up to five groups deep with what `where` adds. */
export const anyTree = (definitions: ReadonlyArray<string>): fc.Arbitrary<object> => {
  const leaf = anyRule(definitions)
  const group = (depth: number): fc.Arbitrary<object> => {
    const node =
      depth === 1 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: group(depth - 1) })
    const several = fc
      .tuple(fc.constantFrom("AND", "OR", "all", "any"), fc.array(node, { maxLength: 3 }))
      .map(([key, conditions]): object =>
        key === "AND" || key === "OR" ? { operator: key, conditions } : { [key]: conditions },
      )
    const negated = fc.record({ operator: fc.constant("NOT"), conditions: fc.tuple(node) })
    return fc.oneof({ weight: 3, arbitrary: several }, { weight: 1, arbitrary: negated })
  }
  // What `where` adds may be too deep or too much.
  return group(4).filter((tree) => Result.isSuccess(parseRules(tree)))
}
