import { Effect, Exit, Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { readPrices } from "./prices.ts"
import { findPrice, type Order } from "./purchase-rules.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const at = (millis: number) => new Date(now.getTime() + millis)
const order: Order = {
  store: { is_active: true, segment_id: null },
  isMember: false,
  listing: { available_from: null, available_until: null, override_prices: null },
  item: { is_active: true, prices: { GOLD: 10, GEMS: 1 } },
  ...{ currencyCode: "GOLD", isCurrency: true, now },
}
const forMembers = { store: { ...order.store, segment_id: "s" } }
const closed = { store: { ...order.store, is_active: false } }
const inactive = { item: { ...order.item, is_active: false } }
const from = (available_from: Date | null, available_until: Date | null = null) => ({
  listing: { ...order.listing, available_from, available_until },
})
const override = (override_prices: Record<string, number>) => ({ listing: { ...order.listing, override_prices } })
const unknown = { isCurrency: false }

describe("what is sold, and for how much", () => {
  test.each<[string, Partial<Order>, number | string]>([
    ["for the item's price", {}, 10],
    ["for the listing's own price [G6.3]", override({ GOLD: 7 }), 7],
    ["for the item's price where the listing has one of another currency [G6.3]", override({ GEMS: 7 }), 10],
    ["for a price that only the listing has [G6.3]", { ...override({ WOOD: 3 }), currencyCode: "WOOD" }, 3],
    ["not for a currency without a price [G6.3]", { currencyCode: "WOOD" }, "CURRENCY_NOT_ACCEPTED"],
    ["not for a currency that is not there", unknown, "CURRENCY_NOT_ACCEPTED"],
    ["not for what every object has", { currencyCode: "constructor" }, "CURRENCY_NOT_ACCEPTED"],
    ["not for no code", { currencyCode: "" }, "CURRENCY_NOT_ACCEPTED"],
    ["to members of the segment [G6.4]", { ...forMembers, isMember: true }, 10],
    ["not to others [G6.4]", forMembers, "NOT_ELIGIBLE"],
    ["not in a closed store [G6.5]", closed, "NOT_AVAILABLE"],
    ["not if the item is inactive [G6.5]", inactive, "NOT_AVAILABLE"],
    ["from the first instant", from(now), 10],
    ["not before it", from(at(1)), "NOT_AVAILABLE"],
    ["until the last one", from(null, at(1)), 10],
    ["not in that", from(null, now), "NOT_AVAILABLE"],
    ["not eligible before not available [G6.5]", { ...forMembers, ...inactive, ...from(at(1)) }, "NOT_ELIGIBLE"],
    ["not available before not accepted [G6.5]", { ...inactive, ...unknown, currencyCode: "WOOD" }, "NOT_AVAILABLE"],
  ])("%s", (_, given, expected) => {
    const found = findPrice({ ...order, ...given })
    expect(Result.isSuccess(found) ? found.success : found.failure.code).toBe(expected)
  })
})

describe("prices [G6.1, G4.2]", () => {
  const read = (prices: Record<string, unknown>) => Effect.runSyncExit(readPrices(prices, "prices"))

  it("are amounts greater than 0", () => {
    const prices = { A: 0.0001, B: 900_000_000_000, C: 1 }
    expect(read(prices)).toEqual(Exit.succeed(prices))
    expect(read({})).toEqual(Exit.succeed({}))
  })

  it.each([0, -1, 0.00001, 900_000_000_000.0002, "5", null, true, [], {}, Number.NaN])("are not %j", (price) => {
    const exit = read({ A: 1, B: price })
    expect(Exit.isFailure(exit) && exit.cause.reasons[0]).toMatchObject({
      error: { code: "INVALID_AMOUNT", details: { issues: [{ path: "prices.B" }] } },
    })
  })
})
