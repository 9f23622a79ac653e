import { describe, expect, it } from "vitest"
import { readSubscription } from "./read-subscription.ts"

const event = { id: "e1", type: "RENEWAL" }
const millis = Date.UTC(2026, 2, 1)

describe("an event of the subscription provider [H2.1]", () => {
  it("is read from its body", () => {
    expect(
      readSubscription({
        api_version: "1.0",
        event: { ...event, app_user_id: "a", event_timestamp_ms: millis, environment: "PRODUCTION", more: [1] },
      }),
    ).toEqual({
      ...event,
      ...{ provider_user_id: "a", event_at: new Date(millis), is_sandbox: false },
    })
  })

  it("may name nobody, and a transfer is about whom it goes to", () => {
    expect(readSubscription({ event })).toMatchObject({ provider_user_id: null })
    const transfer = { ...event, type: "TRANSFER", transferred_from: ["from"], transferred_to: ["to"] }
    expect(readSubscription({ event: transfer })).toMatchObject({ provider_user_id: "to" })
  })

  it.each<readonly [unknown, Date | null]>([
    [millis + 0.9, new Date(millis)],
    ...[undefined, null, "1700000000000", 1e300, -1, 0, 1_700_000_000, Date.UTC(9999, 0)].map(
      (at) => [at, null] as const,
    ),
  ])("at %s happened at %s", (event_timestamp_ms, event_at) => {
    expect(readSubscription({ event: { ...event, event_timestamp_ms } })).toMatchObject({ event_at })
  })

  it.each([
    ["SANDBOX", true],
    ["sandbox", true],
    ["PRODUCTION", false],
    [null, false],
    [["SANDBOX"], false],
  ])("of the environment %j: sandbox is %s", (environment, is_sandbox) => {
    expect(readSubscription({ event: { ...event, environment } })).toMatchObject({ is_sandbox })
  })

  it.each<[string, unknown, object]>([
    ["no JSON", undefined, { id: null, type: null, problem: expect.stringContaining("not JSON") }],
    ["null", null, { problem: "The body is not a JSON object." }],
    ["an array", [{ event }], { problem: "The body is not a JSON object." }],
    ["a text", "event", { problem: "The body is not a JSON object." }],
    ["no event", { id: "e1", type: "RENEWAL" }, { problem: "The body has no event." }],
    ["a list of events", { event: [event] }, { problem: "The body has no event." }],
    [
      "no id",
      { event: { type: "RENEWAL" } },
      { id: null, type: "RENEWAL", problem: expect.stringContaining("event.id") },
    ],
    ["an empty id", { event: { ...event, id: "" } }, { id: null, problem: expect.stringContaining("event.id") }],
    ["a number as id", { event: { ...event, id: 1 } }, { id: null, problem: expect.stringContaining("event.id") }],
    ["an id that is too long", { event: { ...event, id: "x".repeat(256) } }, { id: null }],
    ["no type", { event: { id: "e1" } }, { id: "e1", type: null, problem: expect.stringContaining("event.type") }],
    ["an empty type", { event: { ...event, type: "" } }, { id: "e1", type: null }],
    ["a type that is no text", { event: { ...event, type: {} } }, { id: "e1", type: null }],
  ])("is none in a body with %s", (_, body, expected) => {
    expect(readSubscription(body)).toMatchObject(expected)
    expect(readSubscription(body)).toHaveProperty("problem")
  })

  it("has the longest id and type that are taken", () => {
    const long = "x".repeat(255)
    expect(readSubscription({ event: { id: long, type: long } })).toMatchObject({ id: long, type: long })
  })
})
