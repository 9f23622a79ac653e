import { aUser } from "@hearth/testing"
import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import type { UserFacts } from "../segments/facts.ts"
import { measureEvents } from "../segments/measure-events.ts"
import { measureKey } from "../segments/measures.ts"
import { eventRules } from "../segments/rules.ts"
import { makeCriteriaReader, parseCriteria } from "./criteria.ts"
import { measureProgress } from "./progress.ts"

const now = new Date("2026-03-01T12:00:00.000Z")

/** Four wins, the scores of which are 2.5 in all; three losses. */
const events = [
  ...[1, 0.1, 0.2, 1.2].map((score) => ({ event_name: "win", occurred_at: now, properties: { score } })),
  ...Array(3).fill({ event_name: "loss", occurred_at: now, properties: { score: -1 } }),
]

const progress = (criteria: unknown) => {
  const rules = Result.getOrThrow(parseCriteria(criteria))
  const facts: UserFacts = {
    user: aUser({ email: "bo@example.com", properties: { level: 3 } }),
    entitlements: [],
    streaks: new Map(),
    achievements: new Set(["first"]),
    xp: 0,
    currencies: new Map(),
    events: new Map(eventRules(rules).map((rule) => [measureKey(rule), measureEvents(rule, events, now)])),
  }
  const { current, target } = measureProgress(rules, facts, now)
  return `${current} of ${target}`
}
const one = (leaf: object) => progress({ all: [leaf] })

const wins = (count: number, op = "gte") => ({ event: "win", op, count })
const score = (value: number, op = "gte", event = "win") => ({ event, op, sum: { property: "score", value } })
const level = (op: string, value: number) => ({ field: "properties.level", op, value })
const not = (child: object) => ({ operator: "NOT", conditions: [child] })

describe("progress [G1.4]", () => {
  test.each<readonly [string, object, string]>([
    ["a count that is not reached", wins(10), "4 of 10"],
    ["a count that is reached", wins(4), "4 of 4"],
    ["a count that is passed", wins(3), "3 of 3"],
    ["gt of a count: one more", wins(4, "gt"), "4 of 5"],
    ["gt of a count that is passed", wins(3, "gt"), "4 of 4"],
    ["gt of nothing", { event: "none", op: "gt", count: 0 }, "0 of 1"],
    ["a count that asks for nothing", wins(0), "1 of 1"],
    ["lt", wins(5, "lt"), "1 of 1"],
    ["lt that is false", wins(4, "lt"), "0 of 1"],
    ["lte that is false", wins(3, "lte"), "0 of 1"],
    ["eq 0", wins(0, "eq"), "0 of 1"],
    ["eq that is false", wins(5, "eq"), "0 of 1"],
    ["eq that is true", wins(4, "eq"), "1 of 1"],
    ["neq", wins(4, "neq"), "0 of 1"],
    ["a sum that is not reached", score(10), "2.5 of 10"],
    ["a sum with a fraction", score(2.75), "2.5 of 2.75"],
    ["a sum that is reached", score(2.5), "2.5 of 2.5"],
    ["a sum that is passed", score(1.5), "1.5 of 1.5"],
    ["gt of a sum: the value itself", score(4, "gt"), "2.5 of 4"],
    ["gt of a sum that is just not passed", score(2.5, "gt"), "2.4999 of 2.5"],
    ["gt of a sum that is passed", score(2.4999, "gt"), "2.4999 of 2.4999"],
    ["a sum that asks for nothing", score(0), "1 of 1"],
    ["a sum that asks for less than nothing, and has less", score(-1, "gte", "loss"), "0 of 1"],
    ["a sum below 0", score(5, "gte", "loss"), "0 of 5"],
    ["lt of a sum", score(3, "lt"), "1 of 1"],
    ["a field that is true", level("gte", 3), "1 of 1"],
    ["a field that is false", level("gt", 3), "0 of 1"],
    ["an achievement", { field: "achievements.first", op: "eq", value: true }, "1 of 1"],
    ["NOT that is true", not(wins(10)), "1 of 1"],
    ["NOT that is false", not(wins(1)), "0 of 1"],
    ["where", { event: "win", count: 5, where: { field: "properties.score", op: "gte", value: 1 } }, "2 of 5"],
  ])("of %s", (_, leaf, expected) => expect(one(leaf)).toBe(expected))

  test.each<readonly [string, object, string]>([
    ["AND: the sums over its children", { all: [wins(10), score(5), level("gt", 3)] }, "6.5 of 16"],
    ["AND of sums: exact to 4 decimals", { all: [score(0.1), score(0.2)] }, "0.3 of 0.3"],
    ["AND of nothing", { all: [] }, "0 of 0"],
    ["OR: the child that is furthest by ratio", { any: [wins(10), score(5), wins(5)] }, "4 of 5"],
    ["OR on a tie: the first", { any: [wins(8), score(5)] }, "4 of 8"],
    ["OR that is true", { any: [wins(10), wins(2)] }, "2 of 2"],
    ["OR of nothing", { any: [] }, "0 of 1"],
    ["OR with what asks for nothing", { any: [wins(5), { all: [] }] }, "0 of 0"],
    ["NOT as the root", not({ any: [wins(10)] }), "1 of 1"],
    ["groups in groups", { all: [{ any: [wins(10), wins(5)] }, { all: [wins(4), not(wins(4))] }] }, "8 of 10"],
  ])("of %s", (_, criteria, expected) => expect(progress(criteria)).toBe(expected))

  it("never shows a false rule about events as complete", () => {
    const thresholds = [0, 0.0001, 1, 2.4999, 2.5, 2.5001, 3, 4, 5, 900_000_000_000]
    for (const op of ["eq", "neq", "gt", "gte", "lt", "lte"]) {
      for (const value of thresholds) {
        const leaves = [score(value, op), ...(Number.isInteger(value) && value < 10 ? [wins(value, op)] : [])]
        for (const leaf of leaves) {
          const [current, target] = one(leaf).split(" of ").map(Number)
          const isTrue = one(not(leaf)) === "0 of 1"
          expect(current === target, JSON.stringify(leaf)).toBe(isTrue)
          expect(current, JSON.stringify(leaf)).toBeLessThanOrEqual(target ?? 0)
        }
      }
    }
  })
})

describe("criteria [G1.1]", () => {
  it("are the trees of segments, with a code and paths of their own", () => {
    const failure = Result.getOrThrow(Result.flip(parseCriteria({ all: [{ event: "e", op: "like" }] })))
    expect(failure.code).toBe("INVALID_CRITERIA")
    expect(failure.details?.["issues"]).toMatchObject([{ path: "criteria.all.0.op" }, { path: "criteria.all.0.count" }])
  })

  it("may be a single rule", () => {
    const single = { event: "win", count: 5, where: { field: "properties.score", op: "gte", value: 1 } }
    expect(progress(single)).toBe(progress({ all: [single] }))
    expect(progress(level("gte", 3))).toBe("1 of 1")
    const refused = (criteria: unknown) => Result.getOrThrow(Result.flip(parseCriteria(criteria))).details?.["issues"]
    expect(refused({ event: "win", count: -1 })).toMatchObject([{ path: "criteria.count" }])
    for (const wrong of [{}, [], "win", null, { count: 1 }])
      expect(refused(wrong)).toMatchObject([{ path: "criteria" }])
  })

  it("are at most 64 KB long, with what means nothing", () => {
    const noted = (length: number) => parseCriteria({ all: [], note: "x".repeat(length) })
    const around = JSON.stringify({ all: [], note: "" }).length
    expect(Result.isSuccess(noted(65_536 - around))).toBe(true)
    expect(Result.getOrThrow(Result.flip(noted(65_537 - around))).details?.["issues"]).toMatchObject([
      { path: "criteria" },
    ])
  })

  it("are read once by their text, and again when too much was remembered", () => {
    const readCriteria = makeCriteriaReader()
    const criteria = (note: string) => ({ criteria: { all: [{ event: "win", count: 1 }], note } })
    const first = readCriteria(criteria("a"))
    expect(first).toMatchObject({ events: new Set(["win"]), dependsOnUnlocks: false })
    expect(readCriteria(criteria("a"))).toBe(first)
    for (let at = 0; at < 100; at += 1) readCriteria(criteria(String(at).repeat(30_000)))
    expect(readCriteria(criteria("a"))).not.toBe(first)
    expect(readCriteria(criteria("a"))).toEqual(first)
  })
})
