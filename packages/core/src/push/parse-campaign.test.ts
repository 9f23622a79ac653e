import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { parseCampaign, parseCampaignChanges } from "./parse-campaign.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const texts = { title: "Sale!", body: "Cheap." }
const later = "2026-03-02T09:00:00+01:00"
const over = "2026-03-01T11:59:59Z"
const local = { delivery_mode: "local_time", local_date: "2026-03-05", local_time: "09:30" }
const segment_id = "018f0000-0000-7000-8000-00000000ABCD"

const codeOf = (result: Result.Result<unknown, { readonly code: string }>) =>
  Result.isFailure(result) ? result.failure.code : null

describe("a new campaign [H4.6]", () => {
  const parse = (body: unknown) => parseCampaign(body, now)

  test("has defaults for all but its texts", () => {
    expect(Result.getOrThrow(parse({ ...texts, unknown: 1 }))).toEqual({
      ...{ name: "Sale!", ...texts, data: {}, options: {}, segment_id: null },
      schedule: { delivery_mode: "absolute", scheduled_at: null },
    })
  })

  test.each([
    ["an instant", { scheduled_at: later }, { delivery_mode: "absolute", scheduled_at: new Date(later) }],
    [
      "a draft with nulls",
      { scheduled_at: null, local_date: null, local_time: null },
      {
        delivery_mode: "absolute",
        scheduled_at: null,
      },
    ],
    ["local time", local, { ...local, local_time: "09:30:00" }],
    ["local time with seconds", { ...local, local_time: "23:59:59" }, { ...local, local_time: "23:59:59" }],
  ])("can be for %s", (_, more, schedule) => {
    expect(Result.getOrThrow(parse({ ...texts, ...more })).schedule).toEqual(schedule)
  })

  test("has the ids of segments in lower case, and its options [H4.3]", () => {
    const options = {
      ...{ sound: "ping.caf", badge: 0, image_url: "https://example.com/a.png", collapse_id: "é".repeat(32) },
      ttl_seconds: 2_147_483_647,
    }
    const parsed = Result.getOrThrow(
      parse({ ...texts, name: "N", segment_id, data: { a: [1] }, options: { ...options, x: 1 } }),
    )
    expect(parsed).toMatchObject({ name: "N", segment_id: segment_id.toLowerCase(), data: { a: [1] }, options })
    expect(parsed.options).toEqual(options)
  })

  const long = (length: number) => "x".repeat(length)
  test.each<[string, string, unknown]>([
    ["INVALID_INPUT", "no object", null],
    ["INVALID_INPUT", "a list", [texts]],
    ["INVALID_INPUT", "nothing", {}],
    ["INVALID_INPUT", "no title", { body: "b" }],
    ["INVALID_INPUT", "no body", { title: "t" }],
    ["INVALID_INPUT", "an empty title", { ...texts, title: "" }],
    ["INVALID_INPUT", "a long title", { ...texts, title: long(201) }],
    ["INVALID_INPUT", "a title that is null", { ...texts, title: null }],
    ["INVALID_INPUT", "a long body", { ...texts, body: long(2_001) }],
    ["INVALID_INPUT", "an empty name", { ...texts, name: "" }],
    ["INVALID_INPUT", "a long name", { ...texts, name: long(201) }],
    ["INVALID_INPUT", "a name that is null", { ...texts, name: null }],
    ["INVALID_INPUT", "data that is a list", { ...texts, data: [] }],
    ["INVALID_INPUT", "data that is null", { ...texts, data: null }],
    ["INVALID_INPUT", "options that are text", { ...texts, options: "loud" }],
    ["INVALID_INPUT", "an empty sound", { ...texts, options: { sound: "" } }],
    ["INVALID_INPUT", "a negative badge", { ...texts, options: { badge: -1 } }],
    ["INVALID_INPUT", "a badge with a fraction", { ...texts, options: { badge: 0.5 } }],
    ["INVALID_INPUT", "a huge badge", { ...texts, options: { badge: 2_147_483_648 } }],
    ["INVALID_INPUT", "a collapse id of 65", { ...texts, options: { collapse_id: long(65) } }],
    ["INVALID_INPUT", "a collapse id of 66 bytes", { ...texts, options: { collapse_id: "é".repeat(33) } }],
    ["INVALID_INPUT", "an image that is no address", { ...texts, options: { image_url: "javascript:alert(1)" } }],
    ["INVALID_INPUT", "a negative time to live", { ...texts, options: { ttl_seconds: -1 } }],
    ["INVALID_DELIVERY_MODE", "another mode", { ...texts, delivery_mode: "quick" }],
    ["INVALID_DELIVERY_MODE", "a mode that is null", { ...texts, delivery_mode: null }],
    ["INVALID_SCHEDULED_AT", "a time that is none", { ...texts, scheduled_at: "tomorrow" }],
    ["INVALID_SCHEDULED_AT", "a time without a zone", { ...texts, scheduled_at: "2026-03-02T09:00:00" }],
    ["INVALID_SCHEDULED_AT", "a day that does not exist", { ...texts, scheduled_at: "2026-02-30T09:00:00Z" }],
    ["INVALID_SCHEDULED_AT", "a number", { ...texts, scheduled_at: 1 }],
    ["SCHEDULED_AT_IN_PAST", "now", { ...texts, scheduled_at: now.toISOString() }],
    ["SCHEDULED_AT_IN_PAST", "a time that is over", { ...texts, scheduled_at: over }],
    ["INVALID_LOCAL_DATE", "no date", { ...texts, ...local, local_date: undefined }],
    ["INVALID_LOCAL_DATE", "a date that does not exist", { ...texts, ...local, local_date: "2026-02-30" }],
    ["INVALID_LOCAL_DATE", "a date in another form", { ...texts, ...local, local_date: "5.3.2026" }],
    ["INVALID_LOCAL_DATE", "the last day of the calendar", { ...texts, ...local, local_date: "9999-12-31" }],
    ["INVALID_LOCAL_DATE", "a wrong date of an absolute one", { ...texts, local_date: "x" }],
    ["INVALID_LOCAL_TIME", "no time", { ...texts, ...local, local_time: undefined }],
    ["INVALID_LOCAL_TIME", "24:00", { ...texts, ...local, local_time: "24:00" }],
    ["INVALID_LOCAL_TIME", "a second 60", { ...texts, ...local, local_time: "09:30:60" }],
    ["INVALID_LOCAL_TIME", "a single digit", { ...texts, ...local, local_time: "9:30" }],
    ["INVALID_LOCAL_TIME", "a number", { ...texts, ...local, local_time: 930 }],
    ["CONFLICTING_SCHEDULE", "an instant in local time", { ...texts, ...local, scheduled_at: later }],
    [
      "CONFLICTING_SCHEDULE",
      "only an instant in local time",
      { ...texts, delivery_mode: "local_time", scheduled_at: later },
    ],
    ["CONFLICTING_SCHEDULE", "an instant that is over in local time", { ...texts, ...local, scheduled_at: over }],
    ["CONFLICTING_SCHEDULE", "a date of an absolute one", { ...texts, local_date: "2026-03-05" }],
    ["CONFLICTING_SCHEDULE", "a date of one that is over", { ...texts, scheduled_at: over, local_date: "2026-03-05" }],
    ["CONFLICTING_SCHEDULE", "a time of an absolute one", { ...texts, scheduled_at: later, local_time: "09:30" }],
    ["INVALID_SEGMENT_ID", "a segment that is no id", { ...texts, segment_id: "all" }],
    ["INVALID_SEGMENT_ID", "a segment that is a number", { ...texts, segment_id: 1 }],
  ])("is refused with %s: %s", (code, _, body) => {
    expect(codeOf(parse(body))).toBe(code)
  })

  test("is refused with the first of its mistakes, in the order of the spec", () => {
    const mistakes = [
      ["INVALID_INPUT", { title: "" }, { title: "t" }],
      ["INVALID_DELIVERY_MODE", { delivery_mode: 1 }, { delivery_mode: "local_time" }],
      ["INVALID_SCHEDULED_AT", { scheduled_at: "x" }, { scheduled_at: later }],
      ["INVALID_LOCAL_DATE", { local_date: "x" }, { local_date: "2026-03-05" }],
      ["INVALID_LOCAL_TIME", { local_time: "x" }, { local_time: "09:30" }],
      ["CONFLICTING_SCHEDULE", {}, { scheduled_at: null }],
      ["INVALID_SEGMENT_ID", { segment_id: "x" }, { segment_id: null }],
    ] as const
    let body: object = Object.assign({ ...texts }, ...mistakes.map(([, wrong]) => wrong))
    for (const [code, , right] of mistakes) {
      expect(codeOf(parse(body))).toBe(code)
      body = { ...body, ...right }
    }
    expect(codeOf(parse(body))).toBeNull()
  })

  test("says what is wrong with it, and does not repeat it", () => {
    const refused = parse({ title: "secret".repeat(50), options: { badge: "x" } })
    expect(Result.isFailure(refused) && refused.failure).toMatchObject({
      details: { issues: [{ path: "title" }, { path: "body" }, { path: "options.badge" }] },
    })
    expect(JSON.stringify(refused)).not.toContain("secret")
  })
})

describe("changes of a campaign", () => {
  const parse = (body: unknown) => parseCampaignChanges(body, now)

  test("are those that are given", () => {
    expect(Result.getOrThrow(parse({ title: "T", x: 1 }))).toEqual({ title: "T" })
    expect(Result.getOrThrow(parse({ segment_id: null, data: {}, options: { badge: 1 } }))).toEqual({
      ...{ segment_id: null, data: {}, options: { badge: 1 } },
    })
    expect(Result.getOrThrow(parse({ scheduled_at: later, segment_id, name: "N", body: "B" }))).toEqual({
      ...{ scheduled_at: new Date(later), segment_id: segment_id.toLowerCase(), name: "N", body: "B" },
    })
  })

  test.each<[string, unknown]>([
    ["INVALID_BODY", null],
    ["INVALID_BODY", []],
    ["INVALID_BODY", "title"],
    ["EMPTY_UPDATE", {}],
    ["EMPTY_UPDATE", { status: "sent", delivery_mode: "absolute", stats: {} }],
    ["INVALID_BODY", { title: "" }],
    ["INVALID_BODY", { title: null }],
    ["INVALID_BODY", { body: "x".repeat(2_001) }],
    ["INVALID_BODY", { name: 1 }],
    ["INVALID_BODY", { options: { badge: -1 } }],
    ["INVALID_BODY", { options: null }],
    ["INVALID_BODY", { title: "", data: [] }],
    ["INVALID_DATA", { data: [] }],
    ["INVALID_DATA", { data: null }],
    ["INVALID_DATA", { title: "T", data: "x", segment_id: "x" }],
    ["INVALID_SEGMENT_ID", { segment_id: "x" }],
    ["INVALID_SEGMENT_ID", { segment_id: {}, scheduled_at: "x" }],
    ["INVALID_SCHEDULED_AT", { scheduled_at: null }],
    ["INVALID_SCHEDULED_AT", { scheduled_at: "x" }],
    ["SCHEDULED_AT_IN_PAST", { scheduled_at: now.toISOString() }],
  ])("are refused with %s: %j", (code, body) => {
    expect(codeOf(parse(body))).toBe(code)
  })

  test("tell data that is no object by its name", () => {
    const refused = parse({ data: 5 })
    expect(Result.isFailure(refused) && refused.failure).toMatchObject({
      ...{ message: "data must be an object.", details: { issues: [{ path: "data", message: "must be an object" }] } },
    })
  })
})
