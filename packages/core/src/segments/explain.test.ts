import { aUser } from "@hearth/testing"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ExplainedNode, explainRules } from "./explain.ts"
import type { UserFacts } from "./facts.ts"
import { matches } from "./matches.ts"
import { eventSpan, measureKey } from "./measures.ts"
import { parseRules } from "./parse-rules.ts"
import type { EventRule, RuleGroup } from "./rules.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const definition = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"
const parse = (rules: unknown): RuleGroup => Result.getOrThrow(parseRules(rules))
const measured = (rule: object, value: number) => [measureKey(rule as EventRule), value] as const
const facts = (given: Partial<UserFacts> = {}): UserFacts => ({
  user: aUser({ email: "bo@example.com", last_seen_at: now, properties: { tags: ["a", null], none: null } }),
  entitlements: [{ entitlement_id: "pro", is_active: true, expiration_date: now }],
  streaks: new Map([[definition, 3]]),
  achievements: new Set(["first.win"]),
  xp: 7,
  currencies: new Map([["GOLD", 2.5]]),
  events: new Map([measured({ event: "e", within: "1d" }, 2)]),
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

  it("shows what the rules measure of events, once for equal ones [G1.1]", () => {
    const where = { operator: "AND", conditions: [{ field: "properties.hard", op: "eq", value: true }] }
    const sum = { property: "score", value: 10.5 }
    const rules = parse({
      all: [
        { event: "e", count: 1 },
        { operator: "NOT", conditions: [{ event: "e", op: "gt", count: 1 }] },
        { event: "e", where, sum },
      ],
    })
    const events = new Map([measured({ event: "e" }, 1), measured({ event: "e", where, sum }, 10.25)])
    const explained = explainRules(rules, facts({ events }), now)
    expect(explained).toEqual({
      operator: "AND",
      matches: false,
      conditions: [
        { event: "e", op: "gte", count: 1, actual: 1, within: null, matches: true },
        {
          operator: "NOT",
          matches: true,
          conditions: [{ event: "e", op: "gt", count: 1, actual: 1, within: null, matches: false }],
        },
        { event: "e", op: "gte", sum, where, actual: 10.25, within: null, matches: false },
      ],
    })
    expect(Schema.decodeUnknownSync(ExplainedNode)(JSON.parse(JSON.stringify(explained)))).toEqual(explained)
  })

  it("shows whether an achievement is unlocked, also under a key with dots", () => {
    const rules = parse({
      any: ["first.win", "first"].map((key) => ({ field: `achievements.${key}`, op: "eq", value: true })),
    })
    expect(explainRules(rules, facts(), now)).toMatchObject({
      matches: true,
      conditions: [
        { actual: true, is_missing: false, matches: true },
        { actual: false, is_missing: false, matches: false },
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
