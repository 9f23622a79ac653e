import { describe, expect, it, test } from "vitest"
import type { JsonObject } from "../schema.ts"
import { nameEvent, readPaywallEvent } from "./paywall-event.ts"

const hex = { scheme: "hex", id: null } as const
const standard = { scheme: "standard", id: "m1" } as const

describe("a body of the paywall [H3.1]", () => {
  const legacy = { type: "renewal", data: { id: "e1", originalAppUserId: "user-1" } }

  it("has event and user_id; by the scheme standard, type and data.originalAppUserId stand for them", () => {
    const plain = { event: "purchase", user_id: "user-1" }
    const read = { id: null, type: "purchase", provider_user_id: "user-1" }
    expect(readPaywallEvent(plain, hex)).toEqual(read)
    expect(readPaywallEvent(plain, standard)).toEqual({ ...read, id: "m1" })
    expect(readPaywallEvent(legacy, standard)).toEqual({ id: "m1", type: "renewal", provider_user_id: "user-1" })
    expect(readPaywallEvent({ ...legacy, ...plain }, standard)).toMatchObject({ type: "purchase" })
    expect(readPaywallEvent(legacy, hex)).toEqual({ id: "e1", type: null, provider_user_id: null })
  })

  test.each([null, 1, true, "", [], {}])("has none where these are %j", (nothing) => {
    expect(readPaywallEvent({ event: nothing, user_id: nothing } as JsonObject, hex)).toMatchObject({
      ...{ type: null, provider_user_id: null },
    })
    const both = { ...legacy, event: nothing, user_id: nothing } as JsonObject
    expect(readPaywallEvent(both, standard)).toMatchObject({ type: "renewal", provider_user_id: "user-1" })
    expect(readPaywallEvent({ ...both, data: nothing, type: nothing } as JsonObject, standard)).toMatchObject({
      ...{ type: null, provider_user_id: null },
    })
  })

  it("is told apart by the id of its message, else by data.id, else by its bytes", () => {
    const idOf = (data: unknown, message: { scheme: "hex" | "standard"; id: string | null } = hex) =>
      readPaywallEvent({ data } as JsonObject, message).id
    expect(idOf({ id: "e1" }, standard)).toBe("m1")
    expect(idOf({ id: "e1" }, { scheme: "standard", id: null })).toBe("e1")
    expect([idOf({ id: "e1" }), idOf({ id: 17 }), idOf({ id: "x".repeat(255) })]).toEqual(["e1", "17", "x".repeat(255)])
    for (const data of [{}, { id: "" }, { id: "x".repeat(256) }, { id: null }, { id: {} }, "e1", ["e1"]])
      expect(idOf(data), JSON.stringify(data)).toBeNull()
    expect(idOf({ id: "e1" }, { scheme: "standard", id: "x".repeat(256) })).toBe("e1")
  })
})

describe("the name of an event in the log [H3.1]", () => {
  it("begins with paywall_, and is cut at 255", () => {
    expect(nameEvent("purchase")).toBe("paywall_purchase")
    expect(nameEvent("x".repeat(247))).toBe(`paywall_${"x".repeat(247)}`)
    expect(nameEvent("x".repeat(248))).toBe(`paywall_${"x".repeat(247)}`)
    expect(nameEvent("x".repeat(1_000_000))).toHaveLength(255)
  })

  it("is never cut inside of a character", () => {
    expect(nameEvent(`${"x".repeat(246)}🦊`)).toBe(`paywall_${"x".repeat(246)}`)
    expect(nameEvent(`${"x".repeat(245)}🦊`)).toBe(`paywall_${"x".repeat(245)}🦊`)
  })
})
