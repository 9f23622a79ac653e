import { aUser } from "@hearth/testing"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ExplainedNode, explainRules } from "./explain.ts"
import type { UserFacts } from "./facts.ts"
import { eventSpan, matches } from "./matches.ts"
import { parseRules } from "./parse-rules.ts"
import { eventRules, type RuleGroup } from "./rules.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const definition = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"
const parse = (rules: unknown): RuleGroup => Result.getOrThrow(parseRules(rules))
const facts = (given: Partial<UserFacts> = {}): UserFacts => ({
  user: aUser({ email: "bo@example.com", last_seen_at: now, properties: { tags: ["a", null], none: null } }),
  entitlements: [{ entitlement_id: "pro", is_active: true, expiration_date: now }],
  streaks: new Map([[definition, 3]]),
  eventCount: () => 2,
  ...given,
})

describe("explaining why rules match a user or not", () => {
  it("shows the actual value at each rule", () => {
    const rules = parse({
      operator: "OR",
      conditions: [
        { field: "last_seen_at", op: "not_within", value: "1d" },
        { field: "entitlements.pro", op: "eq", value: true },
        { field: `streaks.${definition.toUpperCase()}.current_count`, op: "gt", value: 3 },
        { operator: "NOT", conditions: [{ field: "properties.tags", op: "contains", value: "a" }] },
        { field: "properties.none", op: "exists" },
        { field: "properties.tags.0", op: "eq", value: "a" },
        { field: "auth_providers", op: "contains", value: "email" },
        { event: "e", op: "neq", count: 2, within: "1d" },
      ],
    })
    const explained = explainRules(rules, facts(), now)
    const streak = `streaks.${definition.toUpperCase()}.current_count`
    const no = { is_missing: false, matches: false }
    expect(explained).toEqual({
      operator: "OR",
      matches: false,
      conditions: [
        { field: "last_seen_at", op: "not_within", value: "1d", actual: now.toISOString(), ...no },
        { field: "entitlements.pro", op: "eq", value: true, actual: false, ...no },
        { field: streak, op: "gt", value: 3, actual: 3, ...no },
        {
          operator: "NOT",
          matches: false,
          conditions: [
            {
              field: "properties.tags",
              op: "contains",
              value: "a",
              actual: ["a", null],
              is_missing: false,
              matches: true,
            },
          ],
        },
        { field: "properties.none", op: "exists", value: null, actual: null, is_missing: true, matches: false },
        { field: "properties.tags.0", op: "eq", value: "a", actual: null, is_missing: true, matches: false },
        { field: "auth_providers", op: "contains", value: "email", actual: [], ...no },
        { event: "e", op: "neq", count: 2, within: "1d", actual: 2, matches: false },
      ],
    })
    expect(matches(rules, facts(), now)).toBe(false)
    expect(Schema.decodeUnknownSync(ExplainedNode)(JSON.parse(JSON.stringify(explained)))).toEqual(explained)
  })

  it("counts events for each rule of the tree", () => {
    const rules = parse({
      operator: "AND",
      conditions: [
        { event: "e", op: "eq", count: 1 },
        { operator: "NOT", conditions: [{ event: "e", op: "eq", count: 1 }] },
      ],
    })
    const rulesToCount = eventRules(rules)
    const counted = facts({ eventCount: (rule) => rulesToCount.indexOf(rule) + 1 })
    expect(explainRules(rules, counted, now)).toMatchObject({
      matches: true,
      conditions: [
        { actual: 1, within: null, matches: true },
        { matches: true, conditions: [{ actual: 2, matches: false }] },
      ],
    })
  })

  it("looks back from now, both ends included", () => {
    const rule = { event: "e", op: "eq", count: 0 } as const
    expect(eventSpan(rule, now)).toEqual({ event: "e", since: null, until: null })
    const since = new Date("2026-02-28T12:00:00.000Z")
    expect(eventSpan({ ...rule, within: "24h" }, now)).toEqual({ event: "e", since, until: now })
  })
})
