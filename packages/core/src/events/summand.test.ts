import { expect, it } from "vitest"
import { readSummand } from "./summand.ts"

it.each([
  [0, 0],
  [1, 1],
  [-2.5, -2.5],
  [0.1, 0.1],
  [1.00005, 1.0001],
  [1.00004999, 1],
  [-1.00005, -1.0001],
  // As a binary number it is a little less than 2.67495.
  [2.67495, 2.675],
  [0.00005, 0.0001],
  [0.0000499, 0],
  [1e-7, 0],
  [5e-324, 0],
  [900_000_000_000, 900_000_000_000],
  [-900_000_000_000, -900_000_000_000],
  [899_999_999_999.9999, 899_999_999_999.9999],
])("%d adds %d to a sum [G0.8]", (value, expected) => {
  expect(readSummand(value)).toBe(expected)
})

it("a negative zero is zero [G0.8]", () => {
  expect(readSummand(-0)).toBe(0)
  expect(readSummand(-1e-9)).toBe(0)
})

it.each([
  900_000_000_000.1,
  -900_000_000_001,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "5",
  true,
  null,
  undefined,
  [5],
  {},
])("%j counts nothing [G0.8]", (value) => {
  expect(readSummand(value)).toBeNull()
})
