import { describe, expect, it, test } from "vitest"
import { cutToHour, isVisible, joinPair, otherOfPair, readOthers, seenAt } from "./rules.ts"

const people = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`)

describe("who is asked to a conversation", () => {
  test.each([
    ["direct", ["bob"], ["bob"]],
    ["direct", ["bob", "bob"], ["bob"]],
    ["direct", ["me", "bob"], ["bob"]],
    ["group", ["bob"], ["bob"]],
    ["group", ["bob", "me", "eve", "bob"], ["bob", "eve"]],
    ["group", people(99), people(99)],
    ["group", ["me", ...people(99)], people(99)],
  ] as const)("%s with %j [I4.1]", (type, participant_ids, others) => {
    expect(readOthers({ type, participant_ids }, "me")).toEqual({ others })
  })
  test.each([
    ["direct", []],
    ["direct", ["me"]],
    ["direct", ["bob", "eve"]],
    ["group", []],
    ["group", ["me", "me"]],
    ["group", people(100)],
  ] as const)("is refused: %s with %j [I4.1]", (type, participant_ids) => {
    expect(readOthers({ type, participant_ids }, "me")).toEqual({ problem: expect.any(String) })
  })
})

describe("a pair", () => {
  it("is the same for both, and knows the other one [I4.1]", () => {
    expect(joinPair("b", "a")).toBe(joinPair("a", "b"))
    expect([otherOfPair("a/b", "a"), otherOfPair("a/b", "b"), otherOfPair(null, "a")]).toEqual(["b", "a", null])
  })
})

describe("who sees a message", () => {
  test.each([
    ["shown", "other", true],
    ["rejected", "other", true],
    ["held", "other", false],
    ["held", "me", true],
    ["held", null, false],
    ["shown", null, true],
  ] as const)("%s, of %s: %s [I6.3]", (moderation, sender_id, expected) => {
    expect(isVisible({ moderation, sender_id }, "me")).toBe(expected)
  })
})

describe("the place in a list", () => {
  const [early, late] = [new Date("2026-03-01T11:59:59.999Z"), new Date("2026-03-01T12:00:00.000Z")]
  it("is that of the newest message which the reader sees [I4.2]", () => {
    expect([seenAt(early, null), seenAt(early, late), seenAt(late, early)]).toEqual([early, late, late])
  })
  it("is cut by hours of UTC", () => {
    expect(cutToHour(early).toISOString()).toBe("2026-03-01T11:00:00.000Z")
    expect(cutToHour(late)).toEqual(late)
  })
})
