import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { fromUnits, maxUnits, toUnits } from "./money.ts"
import {
  clampCredit,
  debitWallet,
  nextRechargeAt,
  readBalance,
  readRules,
  rechargeWallet,
  type WalletRules,
  type WalletState,
} from "./wallet.ts"

const noon = new Date("2026-03-01T12:00:00.000Z")
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000)

/** 2.5 an hour up to 10, beginning with 5. */
const rules = readRules({
  ...{ initial_balance: 5, max_balance: 10, auto_recharge_amount: 2.5, auto_recharge_interval_hours: 1 },
})
const unbounded = readRules({
  ...{
    initial_balance: 0,
    max_balance: null,
    auto_recharge_amount: 900_000_000_000,
    auto_recharge_interval_hours: 0.0001,
  },
})
const plain: WalletRules = { ...rules, recharge: null }
const wallet = (balance: number, anchorMinutes = 0): WalletState => ({
  ...{ balance: toUnits(balance), anchor_at: minutes(anchorMinutes) },
})
const shown = ({ balance, anchor_at }: WalletState) => [
  fromUnits(balance),
  (anchor_at.getTime() - noon.getTime()) / 60_000,
]

describe("rules", () => {
  it("count ten-thousandths and milliseconds, exactly", () => {
    expect(rules).toEqual({ initial: 50_000, max: 100_000, recharge: { amount: 25_000, millis: 3_600_000 } })
    expect(unbounded).toEqual({ initial: 0, max: maxUnits, recharge: { amount: maxUnits, millis: 360 } })
  })
})

describe("recharge [E5]", () => {
  test.each<[string, WalletRules, WalletState, number, [number, number]]>([
    ["nothing before the first interval is over", rules, wallet(0), 59.9, [0, 0]],
    ["one at its end", rules, wallet(0), 60, [2.5, 60]],
    ["whole intervals only; the rest goes on", rules, wallet(0), 150, [5, 120]],
    ["what is missing to the maximum", rules, wallet(9), 60, [10, 60]],
    ["never more than the maximum", rules, wallet(0), 10_000, [10, 9_960]],
    ["nothing while full", rules, wallet(10), 10_000, [10, 0]],
    ["nothing over a lowered maximum [G4.4]", rules, wallet(12), 10_000, [12, 0]],
    ["nothing without recharge", plain, wallet(1), 10_000, [1, 0]],
    ["nothing where the clock was ahead", rules, wallet(1, 90), 30, [1, 90]],
    ["nothing beyond the bound of all balances [G4.2]", unbounded, wallet(0.0001), 36, [900_000_000_000, 36]],
  ])("is %s", (_, rule, state, at, expected) => {
    expect(shown(rechargeWallet(rule, state, minutes(at)))).toEqual(expected)
  })
})

describe("a credit", () => {
  test.each([
    ["fits", 5, 3, 3],
    ["is clamped at the maximum", 8.5, 3, 1.5],
    ["is nothing where the wallet is full", 10, 3, 0],
    ["is nothing over a lowered maximum [G4.4]", 12, 3, 0],
  ])("%s", (_, balance, amount, given) => {
    expect(fromUnits(clampCredit(rules, wallet(balance), toUnits(amount)))).toBe(given)
  })

  it("is clamped at 900,000,000,000 without a maximum [G4.2]", () => {
    const most = { ...plain, max: maxUnits }
    expect(clampCredit(most, { balance: maxUnits - 1, anchor_at: noon }, maxUnits)).toBe(1)
  })
})

describe("a debit", () => {
  test.each<[string, number, number, [number, number] | null]>([
    ["takes it", 5, 3, [2, 0]],
    ["takes all of it", 5, 5, [0, 0]],
    ["is refused by a ten-thousandth", 4.9999, 5, null],
    ["counts intervals from now where the wallet was full [G4.4]", 10, 1, [9, 30]],
    ["counts from now over a lowered maximum, so that no time is banked [G4.4]", 12, 1, [11, 30]],
  ])("%s", (_, balance, amount, expected) => {
    const after = debitWallet(rules, wallet(balance), toUnits(amount), minutes(30))
    expect(after === null ? null : shown(after)).toEqual(expected)
  })
})

describe("a reader sees [G4.4]", () => {
  test.each<[string, WalletRules, WalletState | null, number, number, number | null]>([
    ["the initial balance of an untouched wallet, which does not recharge", rules, null, 10_000, 5, null],
    ["what has recharged, and when it does next", rules, wallet(0), 150, 5, 180],
    ["the end of the first interval", rules, wallet(0, 10), 10, 0, 70],
    ["no next recharge of a full wallet", rules, wallet(10), 5, 10, null],
    ["no next recharge of one that has become full", rules, wallet(9), 60, 10, null],
    ["no next recharge without recharge", plain, wallet(1), 60, 1, null],
  ])("%s", (_, rule, state, at, balance, next) => {
    expect(fromUnits(readBalance(rule, state, minutes(at)))).toBe(balance)
    expect(nextRechargeAt(rule, state, minutes(at))).toEqual(next === null ? null : minutes(next))
  })

  it("no next recharge that no instant can say", () => {
    const slow = readRules({
      ...{ initial_balance: 0, max_balance: 1, auto_recharge_amount: 1, auto_recharge_interval_hours: 900_000_000_000 },
    })
    expect(nextRechargeAt(slow, wallet(0), noon)).toBeNull()
  })
})

const anyRules = fc
  .record({
    max: fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.constant(maxUnits)),
    recharge: fc.option(
      fc.record({ amount: fc.integer({ min: 1, max: 60_000 }), millis: fc.integer({ min: 1, max: 5_000 }) }),
    ),
  })
  .map((given): WalletRules => ({ ...given, initial: 0 }))
const anyBalance = fc.oneof(fc.integer({ min: 0, max: 250_000 }), fc.integer({ min: maxUnits - 100, max: maxUnits }))
const anySteps = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 20 })

describe("recharge, however often it is looked at", () => {
  it("is the same in many small steps as in one [E5]", () => {
    fc.assert(
      fc.property(anyRules, anyBalance, anySteps, (rule, balance, steps) => {
        let [state, now] = [{ balance, anchor_at: noon } as WalletState, noon]
        for (const step of steps) {
          now = new Date(now.getTime() + step)
          state = rechargeWallet(rule, state, now)
        }
        const once = rechargeWallet(rule, { balance, anchor_at: noon }, now)
        expect(state.balance).toBe(once.balance)
        // Where it is full the anchor does not count: the next debit sets it.
        if (once.balance < rule.max) expect(state.anchor_at).toEqual(once.anchor_at)
      }),
    )
  })

  it("never takes anything, and never goes over the maximum", () => {
    fc.assert(
      fc.property(anyRules, anyBalance, fc.integer({ min: 0, max: 100_000 }), (rule, balance, millis) => {
        const after = rechargeWallet(rule, { balance, anchor_at: noon }, new Date(noon.getTime() + millis)).balance
        expect(after).toBeGreaterThanOrEqual(balance)
        expect(after).toBeLessThanOrEqual(Math.max(rule.max, balance))
      }),
    )
  })

  it("comes when it was said to, and not before", () => {
    fc.assert(
      fc.property(anyRules, anyBalance, fc.integer({ min: 0, max: 9_000 }), (rule, balance, millis) => {
        const [state, now] = [{ balance, anchor_at: noon }, new Date(noon.getTime() + millis)]
        const next = nextRechargeAt(rule, state, now)
        if (next === null) return
        expect(next.getTime()).toBeGreaterThan(now.getTime())
        expect(readBalance(rule, state, new Date(next.getTime() - 1))).toBe(readBalance(rule, state, now))
        expect(readBalance(rule, state, next)).toBeGreaterThan(readBalance(rule, state, now))
      }),
    )
  })
})
