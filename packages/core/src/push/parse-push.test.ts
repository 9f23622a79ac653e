import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { parsePushSchedule, parsePushTest } from "./parse-push.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const texts = { title: "Hi", body: "There" }
const fire_at = "2026-03-01T12:00:01Z"
const app_user_id = "018F0000-0000-7000-8000-000000000001"

const codeOf = (result: Result.Result<unknown, { readonly code: string }>) =>
  Result.isFailure(result) ? result.failure.code : null

describe("a push-schedule", () => {
  test("has its time, its texts and data", () => {
    const at = new Date(fire_at)
    expect(Result.getOrThrow(parsePushSchedule({ fire_at, ...texts, x: 1 }, now))).toEqual({
      fire_at: at,
      ...texts,
      data: {},
    })
    const data = { a: { b: 1 } }
    expect(Result.getOrThrow(parsePushSchedule({ fire_at, ...texts, data }, now))).toMatchObject({ data })
  })

  test.each<[string, unknown]>([
    ["INVALID_BODY", null],
    ["INVALID_BODY", []],
    ["INVALID_BODY", { fire_at: "soon", title: 1, body: "There" }],
    ["INVALID_BODY", { fire_at, title: 1 }],
    ["INVALID_FIRE_AT", {}],
    ["INVALID_FIRE_AT", { ...texts, fire_at: null }],
    ["INVALID_FIRE_AT", { ...texts, fire_at: "soon" }],
    ["INVALID_FIRE_AT", { ...texts, fire_at: 1 }],
    ["FIRE_AT_IN_PAST", { ...texts, fire_at: now.toISOString() }],
    ["FIRE_AT_IN_PAST", { fire_at: "2020-01-01T00:00:00Z" }],
    ["MISSING_TITLE", { fire_at }],
    ["MISSING_TITLE", { fire_at, ...texts, title: "" }],
    ["MISSING_TITLE", { fire_at, ...texts, title: null }],
    ["MISSING_BODY", { fire_at, title: "Hi" }],
    ["MISSING_BODY", { fire_at, title: "Hi", body: "" }],
    ["INVALID_BODY", { fire_at, ...texts, title: 1 }],
    ["INVALID_BODY", { fire_at, ...texts, title: "x".repeat(201) }],
    ["INVALID_BODY", { fire_at, ...texts, body: "x".repeat(2_001) }],
    ["INVALID_DATA", { fire_at, ...texts, data: [] }],
    ["INVALID_DATA", { fire_at, ...texts, data: null }],
    ["INVALID_DATA", { fire_at, ...texts, data: "x" }],
  ])("is refused with %s: %j", (code, body) => {
    expect(codeOf(parsePushSchedule(body, now))).toBe(code)
  })
})

test("a time without a zone is told of the zone", () => {
  const refused = parsePushSchedule({ fire_at: "2026-03-01T13:00:00", ...texts }, now)
  expect(Result.isFailure(refused) && refused.failure.message).toBe("fire_at must be an ISO-8601 instant with a zone.")
})

test("data that is no object is told by its name", () => {
  const refused = parsePushSchedule({ fire_at, ...texts, data: 5 }, now)
  expect(Result.isFailure(refused) && refused.failure).toMatchObject({
    ...{ message: "data must be an object.", details: { issues: [{ path: "data", message: "must be an object" }] } },
  })
})

describe("a test of a push", () => {
  const token = { device_token: "abc", provider: "push_a" }

  test("goes to a user or to a device", () => {
    expect(Result.getOrThrow(parsePushTest({ ...texts, app_user_id }))).toEqual({
      ...{ target: { app_user_id: app_user_id.toLowerCase() }, ...texts, data: {}, options: {} },
    })
    expect(Result.getOrThrow(parsePushTest({ ...texts, ...token, data: { a: 1 }, options: { badge: 1 } }))).toEqual({
      ...{ target: token, ...texts, data: { a: 1 }, options: { badge: 1 } },
    })
    const both = parsePushTest({ ...texts, app_user_id, ...token })
    expect(Result.getOrThrow(both).target).toEqual({ app_user_id: app_user_id.toLowerCase() })
  })

  test.each<[string, unknown]>([
    ["INVALID_BODY", null],
    ["INVALID_BODY", "x"],
    ["INVALID_BODY", { title: 5 }],
    ["INVALID_BODY", { body: 5 }],
    ["INVALID_BODY", { data: 5 }],
    ["INVALID_BODY", { app_user_id: "me" }],
    ["INVALID_BODY", { provider: "push_c" }],
    ["MISSING_TITLE", {}],
    ["MISSING_TITLE", { title: "", body: "" }],
    ["MISSING_BODY", { title: "Hi" }],
    ["INVALID_BODY", { ...texts, title: {} }],
    ["INVALID_BODY", { ...texts, app_user_id, data: [] }],
    ["INVALID_BODY", { ...texts, app_user_id, data: null }],
    ["INVALID_BODY", { ...texts, app_user_id, options: { badge: -1 } }],
    ["INVALID_BODY", { ...texts, app_user_id: "me" }],
    ["INVALID_BODY", { ...texts, device_token: 1, provider: "push_a" }],
    ["INVALID_BODY", { ...texts, device_token: "x".repeat(4_097), provider: "push_a" }],
    ["INVALID_BODY", { ...texts, device_token: "x", provider: "push_c" }],
    ["MISSING_TARGET", texts],
    ["MISSING_TARGET", { ...texts, provider: "push_a" }],
    ["MISSING_TARGET", { ...texts, app_user_id: null, device_token: null }],
    ["MISSING_PROVIDER", { ...texts, device_token: "x" }],
    ["MISSING_PROVIDER", { ...texts, device_token: "x", provider: null }],
    ["NO_TOKEN", { ...texts, device_token: "", provider: "push_b" }],
  ])("is refused with %s: %j", (code, body) => {
    expect(codeOf(parsePushTest(body))).toBe(code)
  })
})
