import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { fromUnits, fromUnitsOfSum, isAmount, isPositiveAmount, maxUnits, toUnits } from "./money.ts"

describe("an amount [G4.2]", () => {
  test.each([
    ...[0, 1, -1, 0.0001, -0.0001, 0.1, 1.2345, 12_345.6789, 900_000_000_000, -900_000_000_000],
    ...[899_999_999_999.9999, 549_755_813_888.1234, 1e11],
  ])("may be %d", (amount) => expect(isAmount(amount)).toBe(true))

  test.each([
    ...[1e-5, 0.00001, 1.00001, 0.12345, -0.12345, 5e-324, 900_000_000_000.0001, -900_000_000_000.0001, 1e12, 1e300],
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, "5", null, undefined, true, [5], { a: 5 }],
  ])("may not be %j", (amount) => expect(isAmount(amount)).toBe(false))

  it("is positive above 0", () => {
    expect([0, -0, -1, 0.0001, 900_000_000_000].map(isPositiveAmount)).toEqual([false, false, false, true, true])
  })
})

describe("money in ten-thousandths", () => {
  test.each([
    [0, 0],
    [-0, 0],
    [0.1, 1_000],
    [-0.1, -1_000],
    [1.005, 10_050],
    [0.0001, 1],
    [899_999_999_999.9999, maxUnits - 1],
    [900_000_000_000, maxUnits],
  ])("%d is %d", (amount, units) => expect(toUnits(amount) + 0).toBe(units))

  test.each([
    [0n, 0],
    [-1n, -0.0001],
    [13_370_412_875_011_939n, 1_337_041_287_501.1938],
    [-13_370_412_875_011_939n, -1_337_041_287_501.1938],
  ])("a sum of %d is nearest to %d", (units, sum) => expect(fromUnitsOfSum(units)).toBe(sum))

  it("is refused where there is more than they can say", () => expect(() => toUnits(0.00005)).toThrow("decimals"))

  it("is the same there and back, up to where numbers tell ten-thousandths apart", () => {
    const units = fc.integer({ min: -(2 ** 39) * 10_000, max: 2 ** 39 * 10_000 })
    fc.assert(fc.property(units, (each) => toUnits(fromUnits(each)) === each && isAmount(fromUnits(each))))
  })

  it("is at most one off above that, and the same from then on", () => {
    const units = fc.integer({ min: 2 ** 39 * 10_000, max: maxUnits })
    fc.assert(
      fc.property(units, (each) => {
        const [amount, again] = [fromUnits(each), toUnits(fromUnits(each))]
        return isAmount(amount) && Math.abs(again - each) <= 1 && fromUnits(again) === amount
      }),
    )
  })
})
