import { manualClock, memoryIds } from "@hearth/testing"
import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { type EventAuthor, parseEvents } from "./parse-events.ts"

const now = "2026-03-01T12:00:00.000Z"
const clock = manualClock(now)
const ids = memoryIds(clock)
const user = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"

const read = (body: unknown, author: EventAuthor = "named", limit = 3) => {
  const result = parseEvents({ clock, ids }, body, author, limit)
  return Result.isSuccess(result)
    ? result.success
    : [result.failure.code, withoutIssues(result.failure.details)].filter((part) => part !== undefined)
}

const withoutIssues = ({ issues: _, ...rest }: Readonly<Record<string, unknown>> = {}) =>
  Object.keys(rest).length === 0 ? undefined : rest

const refusalOf = (body: unknown, author: EventAuthor = "named", limit = 500) =>
  Result.getOrThrow(Result.flip(parseEvents({ clock, ids }, body, author, limit)))

const event = (fields: Readonly<Record<string, unknown>> = {}) => ({
  app_user_id: user,
  event_name: "lesson_completed",
  ...fields,
})
const without = (field: string) => Object.fromEntries(Object.entries(event()).filter(([key]) => key !== field))

describe("an event (spec: event object)", () => {
  it("has defaults for all that may be left out", () => {
    expect(read(event())).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        app_user_id: user,
        event_name: "lesson_completed",
        properties: {},
        occurred_at: new Date(now),
        external_id: null,
      },
    ])
  })

  it("keeps its own fields and drops unknown ones", () => {
    const properties = { score: 3, nested: { deep: [1, null, "ü"] } }
    const fields = { properties, occurred_at: "2026-02-28T23:30:00+02:00", event_id: "e-1", id: "mine", is_admin: true }
    expect(read(event(fields))).toEqual([
      {
        id: expect.not.stringMatching("mine"),
        app_user_id: user,
        event_name: "lesson_completed",
        properties,
        occurred_at: new Date("2026-02-28T21:30:00.000Z"),
        external_id: "e-1",
      },
    ])
  })

  it("keeps a property named __proto__ as one", () => {
    const [parsed] = read(JSON.parse(`{"app_user_id":"${user}","event_name":"e","properties":{"__proto__":{"a":1}}}`))
    expect(JSON.stringify((parsed as { properties: unknown }).properties)).toBe('{"__proto__":{"a":1}}')
  })

  it("reads ids in upper case as in lower case", () => {
    expect(read(event({ app_user_id: user.toUpperCase() }))).toMatchObject([{ app_user_id: user }])
  })

  const longest = "x".repeat(255)
  test.each([
    ["the longest name", { event_name: longest }],
    ["the longest event_id", { event_id: longest }],
    ["names in any script", { event_name: "完了 🎉" }],
    ["an instant exactly 24 hours ahead", { occurred_at: "2026-03-02T12:00:00.000Z" }],
    ["an instant long ago", { occurred_at: "1970-01-01T00:00:00Z" }],
    ["a date", { occurred_at: "2026-02-28" }],
    ["an event_id that looks like a number", { event_id: "0" }],
  ])("may have %s", (_, fields) => expect(read(event(fields))).toMatchObject([{ app_user_id: user }]))

  test.each<[what: string, fields: Readonly<Record<string, unknown>>, code: string]>([
    ["app_user_id null", { app_user_id: null }, "INVALID_APP_USER_ID"],
    ["app_user_id empty", { app_user_id: "" }, "INVALID_APP_USER_ID"],
    ["app_user_id a number", { app_user_id: 7 }, "INVALID_APP_USER_ID"],
    ["app_user_id in braces", { app_user_id: `{${user}}` }, "INVALID_APP_USER_ID"],
    ["app_user_id without hyphens", { app_user_id: user.replaceAll("-", "") }, "INVALID_APP_USER_ID"],
    ["app_user_id with a line break", { app_user_id: `${user}\n` }, "INVALID_APP_USER_ID"],
    ["app_user_id in a list", { app_user_id: [user] }, "INVALID_APP_USER_ID"],
    ["event_name null", { event_name: null }, "INVALID_EVENT_NAME"],
    ["event_name empty", { event_name: "" }, "INVALID_EVENT_NAME"],
    ["event_name a number", { event_name: 1 }, "INVALID_EVENT_NAME"],
    ["event_name too long", { event_name: `${longest}x` }, "INVALID_EVENT_NAME"],
    ["event_name with NUL", { event_name: "a\u0000" }, "INVALID_EVENT_NAME"],
    ["event_name with half a character", { event_name: "a\ud800" }, "INVALID_EVENT_NAME"],
    ["occurred_at null", { occurred_at: null }, "INVALID_OCCURRED_AT"],
    ["occurred_at empty", { occurred_at: "" }, "INVALID_OCCURRED_AT"],
    ["occurred_at a number", { occurred_at: 1_772_366_400_000 }, "INVALID_OCCURRED_AT"],
    ["occurred_at without a zone", { occurred_at: "2026-03-01T12:00:00" }, "INVALID_OCCURRED_AT"],
    ["occurred_at on a day that does not exist", { occurred_at: "2026-02-29T12:00:00Z" }, "INVALID_OCCURRED_AT"],
    ["occurred_at more than 24 hours ahead", { occurred_at: "2026-03-02T12:00:00.001Z" }, "INVALID_OCCURRED_AT"],
    ["event_id null", { event_id: null }, "INVALID_EVENT_ID"],
    ["event_id empty", { event_id: "" }, "INVALID_EVENT_ID"],
    ["event_id a number", { event_id: 1 }, "INVALID_EVENT_ID"],
    ["event_id too long", { event_id: `${longest}x` }, "INVALID_EVENT_ID"],
    ["event_id with NUL", { event_id: "\u0000" }, "INVALID_EVENT_ID"],
    ["properties null", { properties: null }, "INVALID_EVENT"],
    ["properties a list", { properties: [] }, "INVALID_EVENT"],
    ["properties text", { properties: "{}" }, "INVALID_EVENT"],
  ])("may not have %s", (_, fields, code) => {
    expect(read(event(fields))).toEqual([code, { index: 0 }])
    expect(read({ events: [event(), event(fields), event({ event_name: null })] })).toEqual([code, { index: 1 }])
  })

  test.each([
    ["app_user_id", "INVALID_APP_USER_ID"],
    ["event_name", "INVALID_EVENT_NAME"],
  ])("may not be without %s", (field, code) => expect(read(without(field))).toEqual([code, { index: 0 }]))
})

describe("a call", () => {
  test.each([null, undefined, [], [event()], "text", 7, true])("that is %j is no object", (body) =>
    expect(read(body)).toEqual(["INVALID_JSON"]),
  )

  test.each([
    ["no events", { events: [] }],
    ["events null", { events: null }],
    ["events an object", { events: event() }],
    ["events text", { events: "[]" }],
  ])("with %s is no event", (_, body) => expect(read(body)).toEqual(["INVALID_EVENT"]))

  test.each([null, [], "text", 7])("with the event %j has its index", (input) =>
    expect(read({ events: [event(), input] })).toEqual(["INVALID_EVENT", { index: 1 }]),
  )

  it("may carry as many events as the limit, and no more", () => {
    expect(read({ events: [event(), event(), event()] })).toHaveLength(3)
    expect(read({ events: [null, null, null, null] })).toEqual(["BATCH_TOO_LARGE", { limit: 3, supplied: 4 }])
  })

  it("gives every event an id of its own, in their order", () => {
    const parsed = read({ events: [event(), event(), event()] }) as ReadonlyArray<{ id: string }>
    const made = parsed.map(({ id }) => id)
    expect(new Set(made).size).toBe(3)
    expect(made.toSorted()).toEqual(made)
  })
})

describe("the refusal of events", () => {
  const issue = (path: string, code: string, message: string) => ({ path, code, message })

  it("names all faults of all events, with the code of the first", () => {
    const events = [
      event(),
      event({ event_name: "", event_id: 5 }),
      null,
      { ...without("event_name"), app_user_id: "canary-7c1f", occurred_at: "canary-7c1f", properties: "canary-7c1f" },
    ]
    const refused = refusalOf({ events })
    expect(refused).toMatchObject({
      code: "INVALID_EVENT_NAME",
      message: [
        "events[1].event_name must be 1 to 255 characters",
        "events[1].event_id must be 1 to 255 characters",
        "events[2] must be an object",
        "events[3].app_user_id must be a uuid",
        "events[3].event_name is required",
        "2 more are in details.issues.",
      ].join("; "),
    })
    expect(refused.details).toEqual({
      index: 1,
      issues: [
        issue("events.1.event_name", "INVALID_EVENT_NAME", "must be 1 to 255 characters"),
        issue("events.1.event_id", "INVALID_EVENT_ID", "must be 1 to 255 characters"),
        issue("events.2", "INVALID_EVENT", "must be an object"),
        issue("events.3.app_user_id", "INVALID_APP_USER_ID", "must be a uuid"),
        issue("events.3.event_name", "INVALID_EVENT_NAME", "is required"),
        issue("events.3.occurred_at", "INVALID_OCCURRED_AT", "must be an ISO-8601 instant with a zone"),
        issue("events.3.properties", "INVALID_EVENT", "must be an object"),
      ],
    })
    expect(JSON.stringify([refused.message, refused.details])).not.toContain("canary")
  })

  it("lists at most a hundred faults", () => {
    const { details } = refusalOf({ events: Array(500).fill({ app_user_id: 1, event_name: 1, event_id: 1 }) })
    expect(details?.["issues"]).toHaveLength(100)
    expect(JSON.stringify(details).length).toBeLessThan(20_000)
  })

  test.each([
    ["app_user_id is required.", without("app_user_id")],
    ["event_name must be well-formed Unicode without NUL.", event({ event_name: "a\u0000" })],
    ["occurred_at must be at most 24 hours ahead.", event({ occurred_at: "2026-03-03T12:00:00Z" })],
    ['The body must be a JSON object: one event, or {"events": [...]}.', []],
    ["events must be an array of 1 to 500 events.", { events: {} }],
  ])("says %s", (sentence, body) => expect(refusalOf(body).message).toBe(sentence))

  test.each([
    ["event_name must not be a name that is reserved for the platform or the project's server.", { event_name: "buy" }],
    ["occurred_at must be at most 1 hour ago.", { event_name: "a", occurred_at: "2026-03-01" }],
  ])("of an app says %s", (sentence, body) => {
    const rules = { server_events: new Set(["buy"]), client_backdate_hours: 1 }
    expect(refusalOf(body, { user_id: user, rules }).message).toBe(sentence)
  })
})

describe("an app's own events", () => {
  const rules = { server_events: new Set(["refund"]), client_backdate_hours: 2 }
  const app = { user_id: user, rules }

  it("belong to its user, whatever user they name", () => {
    const other = "0189f7e2-5c3a-7d4b-9f00-ba9876543210"
    expect(read(event({ app_user_id: other }), app)).toMatchObject([{ app_user_id: user }])
    expect(read(without("app_user_id"), app)).toMatchObject([{ app_user_id: user }])
  })

  test.each(["xp_awarded", "session_started", "paywall_shown", "subscription_renewal", "refund"])(
    "may not be named %s, which a developer's service may write [G0.1]",
    (event_name) => {
      expect(read(event({ event_name }), app)).toEqual(["INVALID_EVENT_NAME", { index: 0 }])
      expect(read(event({ event_name }))).toMatchObject([{ event_name }])
    },
  )

  test.each([
    ["2 hours ago", -2 * 3_600_000, true],
    ["a millisecond more than 2 hours ago", -2 * 3_600_000 - 1, false],
    ["a day ahead", 24 * 3_600_000, true],
    ["more than a day ahead", 24 * 3_600_000 + 1, false],
  ])("that occurred %s, where 2 hours are allowed [G0.2]", (_, millis, isAllowed) => {
    const occurred_at = new Date(new Date(now).getTime() + millis).toISOString()
    const refused = ["INVALID_OCCURRED_AT", { index: 0 }]
    expect(read(event({ occurred_at }), app)).toEqual(
      isAllowed ? [expect.objectContaining({ event_name: "lesson_completed" })] : refused,
    )
  })

  it("of a developer's service may be as old as they are [G0.2]", () => {
    expect(read(event({ occurred_at: "1999-12-31T00:00:00Z" }))).toHaveLength(1)
  })
})
