import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { parseEvent } from "./parse-event.ts"

const at = Date.UTC(2026, 0, 1)
const fields = {
  ...{ id: "e1", type: "INITIAL_PURCHASE", event_timestamp_ms: at, app_user_id: "ada" },
  ...{ product_id: "monthly", entitlement_ids: ["pro"], store: "APP_STORE", period_type: "TRIAL" },
  ...{ purchased_at_ms: at, expiration_at_ms: at + 1, transaction_id: "t", original_transaction_id: "o" },
  ...{ price: 9.99, currency: "USD" },
}
const parse = (given: object, omitted: ReadonlyArray<string> = []) =>
  parseEvent({
    event: Object.fromEntries(Object.entries({ ...fields, ...given }).filter(([name]) => !omitted.includes(name))),
  })
const eventOf = (given: object, omitted?: ReadonlyArray<string>) => {
  const parsed = parse(given, omitted)
  if (parsed.kind !== "event") throw new Error(JSON.stringify(parsed))
  return parsed.event
}

it("reads what the fold needs, store and period in lower case [H2.2]", () => {
  expect(parse({ new_field: { a: 1 } })).toEqual({
    ...{ kind: "event", effect: "purchase", users: { named: ["ada"], sources: [] } },
    event: {
      ...{ id: "e1", type: "INITIAL_PURCHASE", at, subscription: "o", transaction_id: "t", product_id: "monthly" },
      ...{ entitlement_ids: ["pro"], store: "app_store", period_type: "trial", purchased_at: at },
      ...{ expiration_at: at + 1, grace_until: null, price: 9.99, currency: "USD", is_refund: false },
    },
  })
})

it("looks users up as app_user_id, then aliases, then original_app_user_id [H2.2]", () => {
  const named = (given: object, omitted?: ReadonlyArray<string>) => {
    const parsed = parse(given, omitted)
    return parsed.kind === "event" ? parsed.users.named : parsed
  }
  expect(named({ aliases: ["b", "ada", 17, "", null, "c"], original_app_user_id: "d" })).toEqual([
    "ada",
    "b",
    "17",
    "c",
    "d",
  ])
  expect(named({ original_app_user_id: "d" }, ["app_user_id"])).toEqual(["d"])
  expect(named({ aliases: Array.from({ length: 5_000 }, (_, n) => `a${n}`) })).toHaveLength(1_000)
})

test.each<[string, object, ReadonlyArray<string>]>([
  ["no event", {}, ["id"]],
  ["no type", {}, ["type"]],
  ["an empty id", { id: "" }, []],
  ["an unknown type", { type: "TOMORROW" }, []],
  ["a type that every object has", { type: "constructor" }, []],
  ["a type that means nothing here", { type: "INVOICE_ISSUANCE" }, []],
])("ignores %s [H2.1]", (_, given, omitted) => {
  expect(parse(given, omitted).kind).toBe("ignored")
})

it("has nobody to ask for in a test of the dashboard [H2.3]", () => {
  expect(parse({ type: "TEST" }, ["event_timestamp_ms"])).toEqual({ kind: "test" })
})

test.each<[string, object, ReadonlyArray<string>, string]>([
  ["no time", {}, ["event_timestamp_ms"], "event_timestamp_ms is missing"],
  ["a time of words", { event_timestamp_ms: "soon" }, [], "event_timestamp_ms is no instant"],
  ["a time before all", { event_timestamp_ms: -1e15 }, [], "event_timestamp_ms is no instant"],
  ["an end after all", { expiration_at_ms: 1e16 }, [], "expiration_at_ms is no instant"],
  ["a subscription without an end", {}, ["expiration_at_ms"], "expiration_at_ms is missing"],
  ["a grace that is a list", { grace_period_expiration_at_ms: [] }, [], "grace_period_expiration_at_ms is no instant"],
  ["entitlements that are no list", { entitlement_ids: "pro" }, [], "entitlement_ids is no list"],
  ["an entitlement that is no text", { entitlement_ids: [17] }, [], "entitlement_ids is no list"],
  ["an entitlement without a name", { entitlement_ids: [""] }, [], "entitlement_ids is no list"],
  ["a name that cannot be stored", { entitlement_ids: ["\u0000"] }, [], "entitlement_ids is no list"],
  ["a name that is too long", { entitlement_ids: ["x".repeat(256)] }, [], "entitlement_ids is no list"],
  ["too many", { entitlement_ids: Array.from({ length: 101 }, String) }, [], "entitlement_ids is no list"],
  ["a transaction that is an object", { transaction_id: {} }, [], "transaction_id is no text"],
  ["nobody", {}, ["app_user_id"], "it names no user"],
  ["a transfer to nobody", { type: "TRANSFER", transferred_from: ["a"], transferred_to: [] }, [], "transferred_to"],
  [
    "a transfer from a text",
    { type: "TRANSFER", transferred_from: "a", transferred_to: ["b"] },
    [],
    "transferred_from",
  ],
  [
    "a transfer from too many",
    { type: "TRANSFER", transferred_from: Array.from({ length: 1_001 }, String), transferred_to: ["b"] },
    [],
    "transferred_from has more than 1000 ids",
  ],
])("says why it cannot use %s [H2.3]", (_, given, omitted, reason) => {
  expect(parse(given, omitted)).toEqual({ kind: "failed", reason: expect.stringContaining(reason) })
})

describe("takes", () => {
  test.each<[string, object, ReadonlyArray<string>, object]>([
    ["numbers as text", { event_timestamp_ms: `${at}`, price: "-1.5" }, [], { at, price: -1.5 }],
    ["ids as numbers", { transaction_id: 17 }, [], { transaction_id: "17" }],
    ["parts of milliseconds", { purchased_at_ms: at + 0.9 }, [], { purchased_at: at }],
    ["an instant before 1970", { purchased_at_ms: -1 }, [], { purchased_at: -1 }],
    ["a time far ahead", { event_timestamp_ms: 78_789_789_798_798 }, [], { at: 78_789_789_798_798 }],
    ["null for an end", { expiration_at_ms: null }, [], { expiration_at: null }],
    ["no end of what does not renew", { type: "NON_RENEWING_PURCHASE" }, ["expiration_at_ms"], { expiration_at: null }],
    ["null for entitlements", { entitlement_ids: null }, [], { entitlement_ids: null }],
    ["the older field", { entitlement_id: "plus" }, ["entitlement_ids"], { entitlement_ids: ["plus"] }],
    ["a product that is too long", { product_id: "x".repeat(256) }, [], { product_id: null }],
    ["an empty transaction", { transaction_id: "" }, [], { transaction_id: null }],
    [
      "what is not needed",
      { type: "PRODUCT_CHANGE", expiration_at_ms: "x", transaction_id: [] },
      [],
      { product_id: "monthly" },
    ],
    ["a price that is none", { price: {} }, [], { price: null }],
    ["a store that is none", { store: [] }, [], { store: null }],
    ["no original transaction", {}, ["original_transaction_id"], { subscription: "t" }],
    ["no transaction", {}, ["original_transaction_id", "transaction_id"], { subscription: "product:monthly" }],
  ])("%s", (_, given, omitted, expected) => {
    expect(eventOf(given, omitted)).toMatchObject(expected)
  })
})

it("answers for any JSON", () => {
  const anyFields = fc.record(
    Object.fromEntries(
      ["type", "id", "event_timestamp_ms", "app_user_id", "aliases", "entitlement_ids", "expiration_at_ms", "price"]
        .concat(["transferred_to", "transferred_from", "transaction_id", "cancel_reason", "store"])
        .map((name) => [name, fc.oneof(fc.constant(fields[name as keyof typeof fields]), fc.jsonValue())]),
    ),
    { requiredKeys: [] },
  )
  const anyType = fc.constantFrom("TRANSFER", "RENEWAL", "CANCELLATION", "TEMPORARY_ENTITLEMENT_GRANT", "EXPIRATION")
  const anyBody = fc.oneof(
    fc.jsonValue(),
    fc.record({ event: fc.jsonValue() }),
    fc.tuple(anyFields, anyType).map(([some, type]) => ({ event: { ...some, id: "e", type } })),
  )
  fc.assert(
    fc.property(anyBody, (body) => {
      expect(["ignored", "failed", "test", "event"]).toContain(parseEvent(body).kind)
    }),
    { numRuns: 2_000 },
  )
})
