import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { platformEvents } from "../events/event-names.ts"
import { NewXpLevels, NewXpRules } from "./rule.ts"

const accepts = (schema: Schema.ConstraintDecoder<unknown>) => (input: unknown) =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(input))

const isRules = (...rules: ReadonlyArray<unknown>) => accepts(NewXpRules)({ rules })
const isLevels = (...levels: ReadonlyArray<unknown>) => accepts(NewXpLevels)({ levels })
const rule = { event_name: "lesson", amount: 10, daily_cap: null }
const level = (xp_required: unknown, name: unknown = "Bronze") => ({ name, xp_required })

describe("rules of XP [G2.1]", () => {
  it.each<readonly [string, ReadonlyArray<unknown>]>([
    ["none", []],
    ["one", [rule]],
    [
      "the least and the most",
      [
        { ...rule, amount: 1, daily_cap: 1 },
        { event_name: "x".repeat(255), amount: 1_000_000, daily_cap: Number.MAX_SAFE_INTEGER },
      ],
    ],
    ["a cap below the amount", [{ ...rule, daily_cap: 9 }]],
    ["no cap", [{ event_name: "lesson", amount: 1 }]],
    [
      "an event of a provider [G0.1]",
      [
        { ...rule, event_name: "subscription_renewed" },
        { ...rule, event_name: "paywall_shown" },
      ],
    ],
    ["1,000", Array.from({ length: 1_000 }, (_, at) => ({ ...rule, event_name: `${at}` }))],
  ])("are taken: %s", (_, rules) => {
    expect(isRules(...rules)).toBe(true)
  })

  it.each<readonly [string, ReadonlyArray<unknown>]>([
    ["two of one name", [rule, { ...rule, amount: 1 }]],
    ["1,001 [G0.6]", Array.from({ length: 1_001 }, (_, at) => ({ ...rule, event_name: `${at}` }))],
    ...[0, -1, 1.5, 1_000_001, "1", null, undefined].map(
      (amount) => [`an amount of ${amount}`, [{ ...rule, amount }]] as const,
    ),
    ...[0, -1, 1.5, 2 ** 53, "1"].map((daily_cap) => [`a cap of ${daily_cap}`, [{ ...rule, daily_cap }]] as const),
    ...["", "x".repeat(256), null, 1, "a\u0000"].map(
      (event_name) => [`a name of ${event_name}`, [{ ...rule, event_name }]] as const,
    ),
    ...platformEvents.map((event_name) => [`${event_name} [G0.1]`, [{ ...rule, event_name }]] as const),
    ["no rule", [null]],
  ])("are refused: %s", (_, rules) => {
    expect(isRules(...rules)).toBe(false)
  })

  it("have no cap where it is left out", () => {
    const { rules } = Schema.decodeUnknownSync(NewXpRules)({ rules: [{ event_name: "lesson", amount: 1 }] })
    expect(rules).toEqual([{ event_name: "lesson", amount: 1, daily_cap: null }])
  })

  it("must be there", () => {
    expect([{}, { rules: null }, { rules: {} }, [], null].map(accepts(NewXpRules))).toEqual(Array(5).fill(false))
  })
})

describe("levels [G2.2]", () => {
  it.each<readonly [string, ReadonlyArray<unknown>]>([
    ["none", []],
    ["from 0 on", [level(0), level(1), level(Number.MAX_SAFE_INTEGER, "x".repeat(200))]],
    ["1,000", Array.from({ length: 1_000 }, (_, at) => level(at))],
  ])("are taken: %s", (_, levels) => {
    expect(isLevels(...levels)).toBe(true)
  })

  it.each<readonly [string, ReadonlyArray<unknown>]>([
    ["equal", [level(1), level(1)]],
    ["falling", [level(2), level(1)]],
    ["falling later", [level(1), level(3), level(2)]],
    ["1,001", Array.from({ length: 1_001 }, (_, at) => level(at))],
    ...[-1, 0.5, 2 ** 53, "1", null, undefined].map((required) => [`at ${required}`, [level(required)]] as const),
    ...["", "x".repeat(201), null, 1].map((name) => [`named ${name}`, [{ name, xp_required: 1 }]] as const),
  ])("are refused: %s", (_, levels) => {
    expect(isLevels(...levels)).toBe(false)
  })

  it("must be there", () => {
    expect([{}, { levels: null }, null].map(accepts(NewXpLevels))).toEqual([false, false, false])
  })
})
