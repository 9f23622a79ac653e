import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { type CurrencyAmounts, type GivenAmounts, parseAmounts } from "./parse-amounts.ts"

const stored: CurrencyAmounts = {
  ...{ initial_balance: 5, max_balance: 10, auto_recharge_amount: 1, auto_recharge_interval_hours: 2 },
}
const none: CurrencyAmounts = {
  ...{ initial_balance: 0, max_balance: null, auto_recharge_amount: null, auto_recharge_interval_hours: null },
}
const parse = (given: GivenAmounts, before: CurrencyAmounts = stored) => {
  const parsed = parseAmounts(given, before)
  return Result.isSuccess(parsed) ? parsed.success : [parsed.failure.code, parsed.failure.details]
}

describe("the amounts of a currency", () => {
  it("are those that are given, and else stay", () => {
    expect(parse({})).toEqual(stored)
    expect(parse({ max_balance: null })).toEqual({ ...stored, max_balance: null })
    expect(parse({ initial_balance: 10 })).toEqual({ ...stored, initial_balance: 10 })
    expect(parse({ auto_recharge_amount: null, auto_recharge_interval_hours: null })).toEqual({
      ...{ ...stored, auto_recharge_amount: null, auto_recharge_interval_hours: null },
    })
    const most = { initial_balance: 900_000_000_000, max_balance: 900_000_000_000 }
    expect(parse(most, none)).toEqual({ ...none, ...most })
  })

  test.each([
    ...["initial_balance", "max_balance", "auto_recharge_amount", "auto_recharge_interval_hours"].flatMap((name) =>
      [-1, -0.0001, 1e-5, 0.12345, 900_000_000_000.0001, 1e12, 1e300, Number.NaN, "5", true, [], {}, undefined].map(
        (value) => [name, value] as const,
      ),
    ),
    ["auto_recharge_amount", 0] as const,
    ["auto_recharge_interval_hours", 0] as const,
    ["initial_balance", null] as const,
  ])("are refused: %s %j [G4.2]", (name, value) => {
    expect(parse({ [name]: value })).toEqual(["INVALID_AMOUNT", { issues: [expect.objectContaining({ path: name })] }])
  })

  test.each([
    ["initial_balance", "must be a number from 0 to 900,000,000,000 with at most 4 decimals"],
    ["max_balance", "must be a number from 0 to 900,000,000,000 with at most 4 decimals, or null"],
    [
      "auto_recharge_amount",
      "must be a number greater than 0, at most 900,000,000,000, with at most 4 decimals, or null",
    ],
  ])("say what they may be: %s", (path, message) => {
    expect(parse({ [path]: -1 })).toEqual(["INVALID_AMOUNT", { issues: [{ path, message }] }])
  })

  test.each<[string, GivenAmounts, CurrencyAmounts, string]>([
    ["the initial balance over the maximum", { initial_balance: 11 }, stored, "initial_balance"],
    ["a maximum below the initial balance", { max_balance: 4.9999 }, stored, "initial_balance"],
    ["half a recharge", { auto_recharge_amount: 1 }, none, "auto_recharge_amount"],
    ["the other half", { auto_recharge_interval_hours: 1 }, none, "auto_recharge_amount"],
    ["half of a recharge taken away", { auto_recharge_amount: null }, stored, "auto_recharge_amount"],
  ])("must fit together: %s [G4.1, G4.2]", (_, given, before, path) => {
    expect(parse(given, before)).toEqual(["INVALID_INPUT", { issues: [expect.objectContaining({ path })] }])
  })

  it("are looked at before what they are together", () => {
    expect(parse({ initial_balance: 11, auto_recharge_amount: "1" })).toMatchObject(["INVALID_AMOUNT", {}])
  })
})
