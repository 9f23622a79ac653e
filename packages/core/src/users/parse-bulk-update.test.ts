import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { maxBulkUsers, parseBulkUpdate } from "./parse-bulk-update.ts"

const makeId = (n: number) => `0190aaaa-bbbb-7ccc-8ddd-${n.toString(16).padStart(12, "0")}`
const [a, b, c] = [makeId(0xa), makeId(0xb), makeId(0xc)]
const ids = (count: number) => Array.from({ length: count }, (_, n) => makeId(n))
const updates = { properties: { plan: "pro" } }

const parse = (body: unknown) => Result.getOrThrow(parseBulkUpdate(body))
const refuse = (body: unknown) => {
  const result = parseBulkUpdate(body)
  if (Result.isSuccess(result)) throw new Error("It was not refused.")
  const { code, kind, details } = result.failure
  return { code, kind, ...(details === undefined ? {} : { details }) }
}
const issue = (path: string, message: string) => ({ issues: [{ path, message }] })

describe("what a bulk update asks for", () => {
  it("has everything that is given, and nothing for what is left out", () => {
    const nothing = { properties: {}, add_segment_ids: [], remove_segment_ids: [] }
    expect(parse({ user_ids: [a], updates })).toEqual({ ...nothing, user_ids: [a], ...updates })
    expect(parse({ user_ids: [a, b], updates: { add_segment_ids: [c] } })).toEqual({
      ...{ ...nothing, user_ids: [a, b], add_segment_ids: [c] },
    })
    expect(parse({ user_ids: [a], updates: { properties: {}, remove_segment_ids: [c], other: 1 }, more: 2 })).toEqual({
      ...{ ...nothing, user_ids: [a], remove_segment_ids: [c] },
    })
  })

  it("has every id once, in lower case, in the order of the request", () => {
    const both = { add_segment_ids: [b, b.toUpperCase()], remove_segment_ids: [c.toUpperCase(), a, c] }
    expect(parse({ user_ids: [b.toUpperCase(), a, b, a], updates: both })).toEqual({
      user_ids: [b, a],
      properties: {},
      add_segment_ids: [b],
      remove_segment_ids: [c, a],
    })
  })

  it("accepts up to a thousand users, and the nil uuid", () => {
    expect(parse({ user_ids: ids(maxBulkUsers), updates }).user_ids).toHaveLength(1_000)
    const nil = "00000000-0000-0000-0000-000000000000"
    expect(parse({ user_ids: [nil], updates }).user_ids).toEqual([nil])
  })

  it("keeps every key of properties, also `__proto__`", () => {
    const properties = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"":null}')
    const kept = parse({ user_ids: [a], updates: { properties } }).properties
    expect(Object.keys(kept)).toEqual(["__proto__", "constructor", ""])
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined()
  })

  it("ignores the prototype of `updates`", () => {
    const hidden = JSON.parse(`{"__proto__":{"properties":{"a":1}}}`)
    expect(refuse({ user_ids: [a], updates: hidden }).code).toBe("EMPTY_UPDATES")
  })
})

const object = issue("", "must be an object")

describe("a bulk update is refused", () => {
  test.each([null, undefined, [], [{ user_ids: [a], updates }], "text", 1, true])("as a body: %j", (body) => {
    expect(refuse(body)).toEqual({ code: "INVALID_BODY", kind: "invalid", details: object })
  })

  test.each([
    ["MISSING_USER_IDS", undefined],
    ["MISSING_USER_IDS", null],
    ["MISSING_USER_IDS", []],
    ["INVALID_USER_IDS", a],
    ["INVALID_USER_IDS", {}],
    ["INVALID_USER_IDS", { length: 1, 0: a }],
    ["INVALID_USER_IDS", 0],
    ["INVALID_USER_IDS", false],
    ["INVALID_USER_IDS", ""],
  ])("with %s for the users %j", (code, user_ids) => {
    const message = code === "MISSING_USER_IDS" ? "must have at least one user" : "must be an array of strings"
    const details = { issues: [{ path: "user_ids", message }] }
    expect(refuse({ user_ids, updates })).toEqual({ code, kind: "invalid", details })
    expect(refuse({ user_ids, updates: "no matter" }).code).toBe(code)
  })

  it("with all users that are no text", () => {
    const path = (index: number) => ({ path: `user_ids.${index}`, message: "must be a string" })
    const details = { issues: [path(1), path(2)] }
    const updated = { user_ids: [a, 1, [a]], updates: "no matter" }
    expect(refuse(updated)).toEqual({ code: "INVALID_USER_IDS", kind: "invalid", details })
    expect(refuse({ user_ids: Array(500).fill(null), updates }).details?.["issues"]).toHaveLength(100)
  })

  it("with more than a thousand users, also where they are the same", () => {
    const details = { limit: 1_000, supplied: 1_001 }
    expect(refuse({ user_ids: ids(1_001), updates })).toEqual({ code: "BATCH_TOO_LARGE", kind: "invalid", details })
    expect(refuse({ user_ids: Array(1_001).fill(a), updates: null }).code).toBe("BATCH_TOO_LARGE")
    expect(refuse({ user_ids: [...ids(1_000), 1] }).code).toBe("INVALID_USER_IDS")
  })

  test.each([
    undefined,
    null,
    {},
    { propertys: { a: 1 } },
    { properties: {} },
    { add_segment_ids: [], remove_segment_ids: [] },
    { properties: {}, add_segment_ids: [], remove_segment_ids: [] },
  ])("with EMPTY_UPDATES for %j", (given) => {
    expect(refuse({ user_ids: ["no matter"], updates: given })).toEqual({ code: "EMPTY_UPDATES", kind: "invalid" })
  })

  test.each([
    [[], "updates", "must be an object"],
    ["text", "updates", "must be an object"],
    [0, "updates", "must be an object"],
    [{ properties: [] }, "updates.properties", "must be an object"],
    [{ properties: null, add_segment_ids: [a] }, "updates.properties", "must be an object"],
    [{ properties: "{}" }, "updates.properties", "must be an object"],
    [{ add_segment_ids: a }, "updates.add_segment_ids", "must be an array"],
    [{ properties: { a: 1 }, add_segment_ids: null }, "updates.add_segment_ids", "must be an array"],
    [{ remove_segment_ids: { 0: a } }, "updates.remove_segment_ids", "must be an array"],
  ])("with INVALID_BODY for the updates %j", (given, path, message) => {
    const details = issue(path, message)
    expect(refuse({ user_ids: ["no matter"], updates: given })).toEqual({
      code: "INVALID_BODY",
      kind: "invalid",
      details,
    })
  })

  it("with everything that is of the wrong type at once", () => {
    const { details } = refuse({
      user_ids: [a],
      updates: { properties: 1, add_segment_ids: 2, remove_segment_ids: 3 },
    })
    expect(details).toMatchObject({ issues: { length: 3 } })
  })

  test.each([
    "",
    "17",
    `{${a}}`,
    a.replaceAll("-", ""),
    ` ${a}`,
    `${a}\n`,
    `urn:uuid:${a}`,
    a.replace("a", "g"),
    a.slice(1),
    "\u0000",
  ])("with INVALID_UUID for the id %j, wherever it is", (id) => {
    const one = (path: string) => ({
      code: "INVALID_UUID",
      kind: "invalid",
      details: issue(path, "must be a uuid"),
    })
    expect(refuse({ user_ids: [a, id], updates })).toEqual(one("user_ids.1"))
    expect(refuse({ user_ids: [a], updates: { add_segment_ids: [id] } })).toEqual(one("updates.add_segment_ids.0"))
    expect(refuse({ user_ids: [a], updates: { remove_segment_ids: [a, a, id] } })).toEqual(
      one("updates.remove_segment_ids.2"),
    )
  })

  it("with INVALID_UUID for segment ids that are no text", () => {
    expect(refuse({ user_ids: [a], updates: { add_segment_ids: [1, null, [b]] } }).details).toMatchObject({
      issues: { length: 3 },
    })
  })

  it("with at most a hundred issues", () => {
    const { details } = refuse({ user_ids: Array(1_000).fill("x"), updates })
    expect(details).toMatchObject({ issues: { length: 100 } })
  })
})
