import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { isSameJson, jsonBytes } from "./json.ts"
import { advance, complete, skip, summarize } from "./rules.ts"

const now = new Date("2026-03-01T12:00:00.000Z")

/** A progress in a flow of two steps that is at `current_step`. */
const at = (current_step: number, status: "in_progress" | "completed" | "skipped" = "in_progress") => ({
  ...{ status, current_step, step_count: 2, answers: { "0": { name: "Ada", of: [1, 2] }, "1": {} } },
})

const outcome = (moved: Result.Result<unknown, { readonly code: string; readonly details?: object }>) =>
  Result.isSuccess(moved) ? moved.success : moved.failure.code

describe("the next step", () => {
  const answers = { a: 1 }
  const first = at(0).answers["0"]
  test.each([
    ["is done", at(0), 0, answers, { current_step: 1, answers: { ...at(0).answers, "0": answers } }],
    ["is done without answers", at(1), 1, {}, { current_step: 2, answers: at(1).answers }],
    ["may not be left out", at(0), 1, answers, "STEP_OUT_OF_ORDER"],
    ["is one of the flow", at(2), 2, answers, "STEP_OUT_OF_ORDER"],
    ["is not before the first", at(0), -1, answers, "STEP_OUT_OF_ORDER"],
    ["is not one before the last one done", at(2), 0, first, "STEP_OUT_OF_ORDER"],
    ["changes nothing when it was the last one done", at(1), 0, first, null],
    ["changes nothing, however its answers are written", at(1), 0, { of: [1, 2], name: "Ada" }, null],
    ["changes nothing when it was the last one of all", at(2), 1, {}, null],
    ["has other answers", at(1), 0, { name: "Ada", of: [2, 1] }, "STEP_OUT_OF_ORDER"],
    ["is none after the end", at(2, "completed"), 1, {}, "ALREADY_COMPLETED"],
    ["is none after it was skipped", at(1, "skipped"), 1, answers, "ALREADY_COMPLETED"],
  ])("%s [G8.3]", (_, progress, step, given, expected) => {
    expect(outcome(advance(progress, step, given))).toEqual(expected)
  })

  it("is named where another one was said [G8.3]", () => {
    expect(Result.isFailure(advance(at(1), 3, {})) && advance(at(1), 3, {})).toMatchObject({
      failure: { details: { current_step: 1 } },
    })
  })
})

describe("the end", () => {
  test.each([
    ["comes after every step", at(2), { status: "completed", completed_at: now }],
    ["does not come before", at(1), "STEP_OUT_OF_ORDER"],
    ["comes once", at(2, "completed"), null],
    ["does not come after a skip", at(2, "skipped"), "ALREADY_COMPLETED"],
  ])("%s [G8.3]", (_, progress, expected) => {
    expect(outcome(complete(progress, now))).toEqual(expected)
  })
})

describe("a skip", () => {
  test.each([
    ["ends a flow at its start", at(0), { status: "skipped", skipped_at: now }],
    ["ends one of which every step was done", at(2), { status: "skipped", skipped_at: now }],
    ["ends it once", at(1, "skipped"), null],
    ["does not undo its end", at(2, "completed"), "ALREADY_COMPLETED"],
  ])("%s [G8.3]", (_, progress, expected) => {
    expect(outcome(skip(progress, now))).toEqual(expected)
  })
})

describe("equal answers", () => {
  const equal = [
    [{}, {}],
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
    [{ a: -0 }, { a: 0 }],
  ]
  test.each(equal)("%j is %j", (one, other) => {
    expect(isSameJson(one, other)).toBe(true)
  })
  const different = [
    [{}, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: [] }, { a: {} }],
    [{ a: null }, { a: {} }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: "1" }, { a: 1 }],
    [{}, JSON.parse('{"__proto__":{}}')],
    [{ toString: 1 }, { other: 1 }],
  ]
  test.each(different)("%j is not %j", (one, other) => {
    expect([isSameJson(one, other), isSameJson(other, one)]).toEqual([false, false])
  })
})

it("measures JSON in bytes of UTF-8 [G8.1]", () => {
  expect([jsonBytes({}), jsonBytes({ a: "ü" }), jsonBytes([{ a: "🦊" }])]).toEqual([2, 10, 14])
})

describe("statistics of a flow", () => {
  const flow = { id: "one", name: "Welcome", steps: [{}, {}, {}] }
  const count = (
    status: "in_progress" | "completed" | "skipped",
    furthest: number,
    users: number,
    flow_id = "one",
  ) => ({
    ...{ flow_id, status, furthest, users },
  })

  it("count users, and who has come to which step [G8.4]", () => {
    const counts = [
      count("in_progress", 0, 3),
      count("in_progress", 2, 1),
      count("skipped", 1, 1),
      // With more steps than the flow has now.
      count("completed", 5, 1),
      count("completed", 2, 1),
      count("completed", 0, 50, "other"),
    ]
    expect(summarize(flow, counts)).toEqual({
      ...{ flow_id: "one", flow_name: "Welcome", total_started: 7, total_completed: 2, total_skipped: 1 },
      completion_rate: 0.2857,
      steps: [
        { step: 0, reached: 7 },
        { step: 1, reached: 4 },
        { step: 2, reached: 3 },
      ],
    })
  })

  it("have a rate of 0 where nobody has started, and 4 decimals [G8.4]", () => {
    expect(summarize(flow, []).completion_rate).toBe(0)
    const rate = (completed: number, others: number) =>
      summarize(flow, [count("completed", 2, completed), count("in_progress", 0, others)]).completion_rate
    expect([rate(2, 1), rate(1, 0), rate(1, 19_999), rate(1, 20_000)]).toEqual([0.6667, 1, 0.0001, 0])
  })
})
