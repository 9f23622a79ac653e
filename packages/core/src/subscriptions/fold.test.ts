import { describe, expect, it, test } from "vitest"
import { toleranceMillis } from "../entitlements/entitlement.ts"
import { foldSubscriptions } from "./fold.ts"
import { parseEvent } from "./parse-event.ts"
import type { FoldedEvent } from "./provider-event.ts"

const start = Date.UTC(2026, 0, 1)
const day = 86_400_000
const now = new Date(start + 10 * day)
const inDays = (days: number) => start + days * day

type Fields = Readonly<Record<string, unknown>>

let lastId = 0
/** An event of `day` days after the start, about Ada's subscription to `pro` of 30 days, as the provider sends it. */
const event = (type: string, days: number, given: Fields = {}): FoldedEvent => {
  lastId += 1
  const id = `event-${String(lastId).padStart(6, "0")}`
  const fields = {
    ...{ id, type, event_timestamp_ms: inDays(days), app_user_id: "ada", product_id: "monthly" },
    ...{ entitlement_ids: ["pro"], store: "APP_STORE", period_type: "NORMAL", purchased_at_ms: inDays(0) },
    ...{ expiration_at_ms: inDays(30), transaction_id: "t1", original_transaction_id: "t1" },
    ...given,
  }
  const parsed = parseEvent({ event: fields })
  if (parsed.kind !== "event") throw new Error(JSON.stringify(parsed))
  const [owner = ""] = parsed.users.named
  return { ...parsed.event, entry_id: parsed.event.id, owner, sources: parsed.users.sources }
}

const purchase = (given: Fields = {}) => event("INITIAL_PURCHASE", 0, given)
const refund = (days: number, given: Fields = {}) =>
  event("CANCELLATION", days, { cancel_reason: "CUSTOMER_SUPPORT", price: -9.99, ...given })
const transfer = (days: number, from: ReadonlyArray<string>, to: ReadonlyArray<string>) =>
  event("TRANSFER", days, { transferred_from: from, transferred_to: to, expiration_at_ms: undefined })
const second = { transaction_id: "t2", purchased_at_ms: inDays(5), expiration_at_ms: inDays(35) }
const past = { purchased_at_ms: inDays(-30), expiration_at_ms: inDays(1) }

/** What each user has, as `user entitlement: on until day 30`. */
const say = (events: ReadonlyArray<FoldedEvent>, at = now) =>
  foldSubscriptions(events, at)
    .entitlements.map(({ owner, entitlement_id, is_active, expiration_at, product_id }) => {
      const end = expiration_at === null ? "for ever" : `until ${(expiration_at - start) / day}`
      return `${owner} ${entitlement_id}: ${is_active ? "on" : "off"} ${end} (${product_id})`
    })
    .toSorted()

const on = "ada pro: on until 30 (monthly)"
const off = "ada pro: off until 30 (monthly)"

describe("what events give [E7]", () => {
  test.each<[string, ReadonlyArray<FoldedEvent>, ReadonlyArray<string>]>([
    ["a purchase gives until its end", [purchase()], [on]],
    ["a purchase that has ended gives nothing", [purchase(past)], ["ada pro: off until 1 (monthly)"]],
    ["a renewal moves the end", [purchase(), event("RENEWAL", 5, second)], ["ada pro: on until 35 (monthly)"]],
    ["a purchase of nothing gives nothing", [purchase({ entitlement_ids: null })], []],
    [
      "a purchase gives everything that it lists",
      [purchase({ entitlement_ids: ["pro", "plus", "pro"] })],
      ["ada plus: on until 30 (monthly)", on],
    ],
    [
      "a renewal takes away what it does not list",
      [
        purchase({ entitlement_ids: ["pro", "plus"] }),
        event("RENEWAL", 5, { ...second, entitlement_ids: ["plus", "max"], product_id: "yearly" }),
      ],
      ["ada max: on until 35 (yearly)", "ada plus: on until 35 (yearly)", off],
    ],
    [
      "a pass without an end lasts for ever",
      [event("NON_RENEWING_PURCHASE", 0, { expiration_at_ms: null })],
      ["ada pro: on for ever (monthly)"],
    ],
    [
      "a consumable gives nothing",
      [event("NON_RENEWING_PURCHASE", 0, { expiration_at_ms: null, entitlement_ids: null })],
      [],
    ],
    [
      "a product change waits for its renewal",
      [purchase(), event("PRODUCT_CHANGE", 1, { new_product_id: "yearly" })],
      [on],
    ],
    ["a cancellation keeps access", [purchase(), event("CANCELLATION", 1, { cancel_reason: "UNSUBSCRIBE" })], [on]],
    ["a pause keeps access", [purchase(), event("SUBSCRIPTION_PAUSED", 1)], [on]],
    ["a refund ends access at once", [purchase(), refund(1)], [off]],
    [
      "a cancellation with a negative price is a refund",
      [purchase(), event("CANCELLATION", 1, { cancel_reason: "UNKNOWN", price: -0.01 })],
      [off],
    ],
    ["a refund without a price is one, too", [purchase(), refund(1, { price: null })], [off]],
    [
      "a refund of an earlier period ends nothing",
      [purchase(), event("RENEWAL", 5, second), refund(6)],
      ["ada pro: on until 35 (monthly)"],
    ],
    [
      "a renewal after a refund gives again",
      [purchase(), refund(1), event("RENEWAL", 5, second)],
      ["ada pro: on until 35 (monthly)"],
    ],
    ["a refund that is undone gives again", [purchase(), refund(1), event("REFUND_REVERSED", 2)], [on]],
    [
      "a refund that is undone gives again, also after its end was told",
      [purchase(), refund(1), event("EXPIRATION", 1), event("REFUND_REVERSED", 2)],
      [on],
    ],
    [
      "a refund that is undone too late gives nothing",
      [purchase(past), refund(0.5, past), event("REFUND_REVERSED", 2, past)],
      ["ada pro: off until 1 (monthly)"],
    ],
    ["nothing but a purchase gives again after a refund", [purchase(), refund(1), event("UNCANCELLATION", 2)], [off]],
    ["an end ends", [purchase(), event("EXPIRATION", 1)], [off]],
    [
      "an end of an earlier period, told late, ends nothing",
      [purchase(), event("RENEWAL", 5, second), event("EXPIRATION", 6)],
      ["ada pro: on until 35 (monthly)"],
    ],
    ["a resumption after an end gives again", [purchase(), event("EXPIRATION", 1), event("UNCANCELLATION", 2)], [on]],
    [
      "an extension moves the end",
      [purchase(past), event("SUBSCRIPTION_EXTENDED", 2, { ...past, expiration_at_ms: inDays(12) })],
      ["ada pro: on until 12 (monthly)"],
    ],
    [
      "a failed charge keeps access to the end of grace",
      [purchase(past), event("BILLING_ISSUE", 1, { ...past, grace_period_expiration_at_ms: inDays(17) })],
      ["ada pro: on until 17 (monthly)"],
    ],
    [
      "a failed charge without grace keeps access to the end",
      [purchase(), event("BILLING_ISSUE", 1, { grace_period_expiration_at_ms: null })],
      [on],
    ],
    [
      "a failed charge without grace gives nothing after the end",
      [purchase(past), event("BILLING_ISSUE", 1, past)],
      ["ada pro: off until 1 (monthly)"],
    ],
    [
      "a grace that is over gives nothing",
      [purchase(past), event("BILLING_ISSUE", 1, { ...past, grace_period_expiration_at_ms: inDays(9) })],
      ["ada pro: off until 9 (monthly)"],
    ],
    [
      "a failed charge of an earlier period shortens nothing",
      [purchase(past), event("RENEWAL", 5, second), event("BILLING_ISSUE", 6, past)],
      ["ada pro: on until 35 (monthly)"],
    ],
    [
      "a cancellation that comes with a failed charge keeps access",
      [
        purchase(past),
        event("CANCELLATION", 1, { ...past, cancel_reason: "BILLING_ERROR", price: 0 }),
        event("BILLING_ISSUE", 1, { ...past, grace_period_expiration_at_ms: inDays(17) }),
      ],
      ["ada pro: on until 17 (monthly)"],
    ],
  ])("%s", (_, events, expected) => {
    expect(say(events)).toEqual(expected.toSorted())
    expect(say(events.toReversed())).toEqual(expected.toSorted())
    expect(say([...events, ...events])).toEqual(expected.toSorted())
  })

  it("says when the end is reached and the provider has had its time to tell of it, to the millisecond", () => {
    expect(say([purchase()], new Date(inDays(30) + toleranceMillis - 1))).toEqual([on])
    expect(say([purchase()], new Date(inDays(30) + toleranceMillis))).toEqual([off])
    expect(say([purchase(), event("EXPIRATION", 30)], new Date(inDays(30)))).toEqual([off])
  })

  it("waits for nothing where the provider has spoken of it after its end", () => {
    const now = new Date(inDays(30) + 60_000)
    expect(say([purchase()], now)).toEqual([on])
    expect(say([purchase(), event("BILLING_ISSUE", 30)], now)).toEqual([off])
    expect(say([purchase(), event("BILLING_ISSUE", 29.9)], now)).toEqual([on])
  })

  it("says whether it will renew", () => {
    const renews = (...events: ReadonlyArray<FoldedEvent>) =>
      foldSubscriptions(events, now).grants.map(({ will_renew }) => will_renew)
    const cancelled = [purchase(), event("CANCELLATION", 1, { cancel_reason: "UNSUBSCRIBE" })]
    expect(renews(...cancelled)).toEqual([false])
    expect(renews(...cancelled, event("UNCANCELLATION", 2))).toEqual([true])
    expect(renews(...cancelled, event("RENEWAL", 5, second))).toEqual([true])
  })
})

describe("several subscriptions of one entitlement [E7]", () => {
  const other = { transaction_id: "o1", original_transaction_id: "o1", product_id: "yearly" }
  test.each<[string, ReadonlyArray<FoldedEvent>, string]>([
    [
      "the one that ends last counts",
      [purchase(), purchase({ ...other, expiration_at_ms: inDays(20) })],
      "ada pro: on until 30 (monthly)",
    ],
    ["the end of one does not end the other", [purchase(), purchase(other), event("EXPIRATION", 1)], "(yearly)"],
    ["a refund of one does not end the other", [purchase(), purchase(other), refund(1)], "(yearly)"],
    ["what never ends counts first", [purchase(), purchase({ ...other, expiration_at_ms: null })], "for ever (yearly)"],
    [
      "where none gives access, the dates of the one that ended last are kept",
      [purchase(past), event("EXPIRATION", 1), purchase(other), refund(2, other)],
      "ada pro: off until 30 (yearly)",
    ],
  ])("%s", (_, events, expected) => {
    const said = say(events)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(expected)
  })
})

describe("transfers [E7]", () => {
  const toBob = transfer(2, ["anonymous", "ada"], ["bob"])
  const bob = "bob pro: on until 30 (monthly)"
  test.each<[string, ReadonlyArray<FoldedEvent>, ReadonlyArray<string>]>([
    ["move what there is", [purchase(), toBob], [off, bob]],
    ["move nothing where nothing is", [toBob], []],
    ["do not move what is bought later", [toBob, event("INITIAL_PURCHASE", 3)], [on]],
    ["to oneself change nothing", [purchase(), transfer(2, ["ada"], ["ada"])], [on]],
    ["there and back", [purchase(), toBob, transfer(3, ["bob"], ["ada"])], [on, "bob pro: off until 30 (monthly)"]],
    [
      "over two stations",
      [purchase(), toBob, transfer(3, ["bob"], ["cyd"])],
      [off, "bob pro: off until 30 (monthly)", "cyd pro: on until 30 (monthly)"],
    ],
    ["keep what was refunded refunded", [purchase(), refund(1), toBob], [off, "bob pro: off until 30 (monthly)"]],
    [
      "later events that still name the old user follow",
      [purchase(), toBob, event("RENEWAL", 5, second)],
      [off, "bob pro: on until 35 (monthly)"],
    ],
    [
      "a later refund that names the old user follows",
      [purchase(), toBob, refund(3)],
      [off, "bob pro: off until 30 (monthly)"],
    ],
    [
      "of several subscriptions move all",
      [purchase(), purchase({ transaction_id: "o1", original_transaction_id: "o1", entitlement_ids: ["plus"] }), toBob],
      [off, bob, "ada plus: off until 30 (monthly)", "bob plus: on until 30 (monthly)"],
    ],
  ])("%s", (_, events, expected) => {
    expect(say(events)).toEqual(expected.toSorted())
    expect(say(events.toReversed())).toEqual(expected.toSorted())
  })

  it("closes a refunded subscription though another user of the same customer is named", () => {
    expect(say([purchase(), refund(1, { app_user_id: "ada-after-sign-in" })])).toEqual([off])
  })
})

describe("temporary grants [E7]", () => {
  const grant = (given: Fields = {}) =>
    event("TEMPORARY_ENTITLEMENT_GRANT", 9.5, { expiration_at_ms: inDays(10.25), ...given })
  test.each<[string, ReadonlyArray<FoldedEvent>, ReadonlyArray<string>]>([
    ["give until their end", [grant()], ["ada pro: on until 10.25 (monthly)"]],
    ["give a day at most", [grant({ expiration_at_ms: inDays(40) })], ["ada pro: on until 10.5 (monthly)"]],
    ["give a day at most without an end", [grant({ expiration_at_ms: null })], ["ada pro: on until 10.5 (monthly)"]],
    ["give nothing without entitlements", [grant({ entitlement_ids: undefined })], []],
    ["end with their transaction", [grant(), event("EXPIRATION", 9.75)], ["ada pro: off until 10.25 (monthly)"]],
    [
      "make room for the purchase, whatever its transaction",
      [
        grant(),
        event("INITIAL_PURCHASE", 9.6, { transaction_id: "x", original_transaction_id: "x", product_id: "yearly" }),
        event("EXPIRATION", 9.75),
      ],
      ["ada pro: on until 30 (yearly)"],
    ],
    [
      "end alone, also where the purchase is of the same subscription",
      [grant(), event("INITIAL_PURCHASE", 9.6, { transaction_id: "x" }), event("EXPIRATION", 9.75)],
      [on],
    ],
    [
      "end alone, also where the purchase was before them",
      [
        grant({ purchased_at_ms: inDays(9.5) }),
        event("INITIAL_PURCHASE", 9.6, { transaction_id: "x" }),
        event("EXPIRATION", 9.75, { purchased_at_ms: undefined }),
      ],
      [on],
    ],
    [
      "end with a purchase that is the same transaction",
      [grant(), event("INITIAL_PURCHASE", 9.6), event("EXPIRATION", 9.75)],
      [off],
    ],
  ])("%s", (_, events, expected) => {
    expect(say(events)).toEqual(expected)
    expect(say(events.toReversed())).toEqual(expected)
  })
})

it("reads what was bought from the first event that came, when the purchase never did [E7]", () => {
  expect(say([event("CANCELLATION", 1, { cancel_reason: "UNSUBSCRIBE" })])).toEqual([on])
  expect(say([event("UNCANCELLATION", 1)])).toEqual([on])
  expect(say([event("SUBSCRIPTION_EXTENDED", 1)])).toEqual([on])
  expect(say([event("REFUND_REVERSED", 1)])).toEqual([on])
  expect(say([event("BILLING_ISSUE", 1)])).toEqual([on])
  expect(say([event("EXPIRATION", 1)])).toEqual([off])
  expect(say([refund(1)])).toEqual([off])
  expect(say([event("PRODUCT_CHANGE", 1), event("SUBSCRIPTION_PAUSED", 1)])).toEqual([])
  expect(say([event("UNCANCELLATION", 1, { expiration_at_ms: null })])).toEqual([])
})
