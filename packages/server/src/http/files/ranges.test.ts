import { describe, expect, it } from "vitest"
import { readRange } from "./ranges.ts"

const read = (range: string) => readRange(range, null, 1_000, "tag")

describe("the range of a file", () => {
  it.each([
    ["bytes=0-9", { kind: "parts", parts: [{ start: 0, end: 9 }] }],
    ["bytes=-2000", { kind: "parts", parts: [{ start: 0, end: 999 }] }],
    ["bytes=2000-", { kind: "none" }],
    ["bytes=9-0", { kind: "all" }],
    ["9-10", { kind: "all" }],
  ])("%s", (range, expected) => {
    expect(read(range)).toEqual(expected)
  })

  it("is not looked for in what is too long", () => {
    expect(read(`bytes=${"1".repeat(1_000_000)}`)).toEqual({ kind: "all" })
    expect(read(`bytes=${"0-9,".repeat(200)}0-9`)).toEqual({ kind: "all" })
  })
})
