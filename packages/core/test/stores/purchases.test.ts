import type { CatalogItem, Listing, Store } from "@hearth/core/stores"
import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { countEach, storeWorld } from "./world.ts"

const start = new Date("2026-03-01T12:00:00.000Z")
const at = (millis: number) => new Date(start.getTime() + millis)

describe("a purchase [G6.5]", () => {
  it("takes the price, gives the item, is written down and told", async () => {
    const { balance, bought, buy, events, fund, onSale, owned, run, shop, transactions, userId } = await storeWorld()
    await fund(25)
    const { item, listing } = await onSale({
      key: "sword",
      name: "Sword",
      icon_url: "https://a.example",
      item_type: "w",
    })
    const answer = await run(buy(listing.id))
    const { id } = answer.purchase
    const paid = { listing_id: listing.id, catalog_item_id: item.id, currency_code: "GOLD", price: 10 }
    expect(answer).toMatchObject({ purchase: { id, ...paid, created_at: start }, balance: 15, reward: null })
    expect(await balance()).toBe(15)
    expect((await transactions())[0]).toMatchObject({
      ...{ app_user_id: userId, currency_code: "GOLD", amount: -10, balance_after: 15 },
      ...{ transaction_type: "purchase", source: "store", reference_id: id },
    })
    const shown = {
      catalog_item_id: item.id,
      key: "sword",
      name: "Sword",
      icon_url: "https://a.example",
      item_type: "w",
    }
    expect(await owned()).toEqual([{ ...shown, quantity: 1, acquired_at: start }])
    expect(await bought()).toEqual([
      {
        ...{ ...paid, id, app_user_id: userId, store_id: shop.id, key: "sword" },
        ...{ reward: null, created_at: start, reversed_at: null },
      },
    ])
    expect(await events("item_purchased")).toMatchObject([
      {
        ...{ app_user_id: userId, occurred_at: start },
        properties: {
          purchase_id: id,
          listing_id: listing.id,
          catalog_item_id: item.id,
          key: "sword",
          currency_code: "GOLD",
          price: 10,
        },
      },
    ])
    await run(buy(listing.id))
    expect(await owned()).toMatchObject([{ quantity: 2, acquired_at: start }])
  })

  it("costs what the listing says, else what the item says [G6.3]", async () => {
    const { buy, code, fund, onSale, run } = await storeWorld()
    await fund(20.5)
    await fund(5, "GEMS")
    const { listing } = await onSale({}, { override_prices: { GOLD: 10.2501 } })
    expect(await run(buy(listing.id))).toMatchObject({ purchase: { price: 10.2501 }, balance: 10.2499 })
    expect(await run(buy(listing.id, { code: "GEMS" }))).toMatchObject({ purchase: { price: 1 }, balance: 4 })
    expect(await code(buy(listing.id))).toBe("INSUFFICIENT_BALANCE")
    expect(await code(buy(listing.id, { code: "WOOD" }))).toBe("CURRENCY_NOT_ACCEPTED")
  })

  it("cannot be paid in a currency that is not there (any more) [G6.3, G4.9]", async () => {
    const { buy, code, fund, onSale, transact } = await storeWorld()
    await fund(100)
    const { listing } = await onSale({ prices: { GOLD: 1, LATER: 1 } })
    expect(await code(buy(listing.id, { code: "LATER" }))).toBe("CURRENCY_NOT_ACCEPTED")
    await transact((db) => db.currencies.remove({ code: "GOLD" }))
    expect(await code(buy(listing.id))).toBe("CURRENCY_NOT_ACCEPTED")
  })

  interface Case {
    readonly store?: Partial<Store>
    readonly item?: Partial<CatalogItem>
    readonly listing?: Partial<Listing>
    readonly code?: string
    readonly times?: number
  }
  const forMembers = { segment_id: anId() }
  const over = { available_until: start }
  const once = { max_purchases_per_user: 1 }
  test.each<[string, Case, string]>([
    ["NOT_ELIGIBLE: of a segment that is gone [G0.7]", { store: forMembers }, "NOT_ELIGIBLE"],
    [
      "NOT_ELIGIBLE before NOT_AVAILABLE",
      { store: { ...forMembers, is_active: false }, listing: over },
      "NOT_ELIGIBLE",
    ],
    ["NOT_AVAILABLE: an inactive store", { store: { is_active: false } }, "NOT_AVAILABLE"],
    ["NOT_AVAILABLE: an inactive item", { item: { is_active: false } }, "NOT_AVAILABLE"],
    ["NOT_AVAILABLE: too early", { listing: { available_from: at(1) } }, "NOT_AVAILABLE"],
    ["NOT_AVAILABLE: too late", { listing: over }, "NOT_AVAILABLE"],
    ["NOT_AVAILABLE before CURRENCY_NOT_ACCEPTED", { listing: over, code: "WOOD" }, "NOT_AVAILABLE"],
    ["CURRENCY_NOT_ACCEPTED", { code: "WOOD" }, "CURRENCY_NOT_ACCEPTED"],
    ["CURRENCY_NOT_ACCEPTED before the limit", { code: "WOOD", listing: once, times: 1 }, "CURRENCY_NOT_ACCEPTED"],
    ["PURCHASE_LIMIT_REACHED before the balance", { listing: once, times: 1 }, "PURCHASE_LIMIT_REACHED"],
    ["INSUFFICIENT_BALANCE", {}, "INSUFFICIENT_BALANCE"],
  ])("is refused with the first reason: %s", async (_, given, expected) => {
    const { balance, bought, buy, code, events, fund, list, item, owned, run, store, transact } = await storeWorld()
    const { times = 0, code: currency = "GOLD" } = given
    await fund(10 * times + 9.9999)
    const place = await store()
    const sold = await item({ prices: { GOLD: 10 }, contents: { xp: 5 } })
    const listing = await list({ store_id: place.id, catalog_item_id: sold.id, ...given.listing })
    for (let n = 0; n < times; n += 1) await run(buy(listing.id, { storeId: place.id }))
    await transact((db) => Effect.orDie(db.stores.update(place.id, given.store ?? {})))
    await transact((db) => Effect.orDie(db.catalogItems.update(sold.id, given.item ?? {})))
    expect(await code(buy(listing.id, { storeId: place.id, code: currency }))).toBe(expected)
    // Nothing is left of it.
    expect(await balance()).toBe(9.9999)
    expect([await owned(), await bought(), await events("item_purchased")].map((rows) => rows.length)).toEqual([
      ...[times, times, times],
    ])
  })

  it("is refused with NOT_FOUND for what is not in this store", async () => {
    const { buy, code, fund, onSale, shop, store } = await storeWorld()
    await fund(100)
    const { listing } = await onSale()
    const other = await store({ is_active: false })
    expect(await code(buy(anId()))).toBe("NOT_FOUND")
    expect(await code(buy(listing.id, { storeId: anId() }))).toBe("NOT_FOUND")
    expect(await code(buy(listing.id, { storeId: other.id }))).toBe("NOT_FOUND")
    expect(await code(buy(listing.id, { storeId: shop.id, as: anId() }))).toBe("INVALID_TOKEN")
  })

  it("is for members of the store's segment as it was last evaluated [G6.4]", async () => {
    const { buy, code, core, fund, list, item, projectId, run, store, transact, user, userId, world } =
      await storeWorld()
    const other = await user()
    await fund(100)
    await fund(100, "GOLD", other)
    const rules = { operator: "AND", conditions: [{ field: "email", op: "exists" }] }
    const segment = await run(core.segments.create(projectId, { name: "S", description: null, rules }))
    const place = await store({ segment_id: segment.id })
    const sold = await item({ prices: { GOLD: 1 } })
    const storeId = place.id
    const { id } = await list({ store_id: storeId, catalog_item_id: sold.id })
    expect(await code(buy(id, { storeId }))).toBe("NOT_ELIGIBLE")
    await transact((db) => db.segmentMembers.add([segment.id], [userId], world.clock.now()))
    expect(await run(buy(id, { storeId }))).toMatchObject({ balance: 99 })
    expect(await code(buy(id, { storeId, as: other }))).toBe("NOT_ELIGIBLE")
    await run(core.segments.remove(projectId, segment.id))
    expect(await code(buy(id, { storeId }))).toBe("NOT_ELIGIBLE")
  })

  it("gives the contents beside the item, and answers the balance after them [G6.1]", async () => {
    const world = await storeWorld()
    const { balance, bought, buy, entitlement, events, fund, item, onSale, owned, run, xp } = world
    await fund(10)
    await item({ key: "arrow" })
    const reward = {
      ...{ currencies: { GOLD: 3, GEMS: 2, LOST: 9 }, xp: 50, items: [{ key: "arrow", quantity: 20 }] },
      ...{ entitlements: [{ entitlement_id: "archer", days: 7 }], note: "kept" },
    }
    const { item: bow, listing } = await onSale({ key: "bow", contents: reward })
    const given = {
      ...{ currencies: { GOLD: 3, GEMS: 2 }, xp: 50, items: [{ key: "arrow", quantity: 20 }] },
      ...{ entitlements: [{ entitlement_id: "archer", days: 7 }], skipped: ["LOST"] },
    }
    const answer = await run(buy(listing.id))
    expect(answer).toMatchObject({ balance: 3, reward: given })
    expect(answer.reward).toEqual(given)
    expect([await balance(), await balance("GEMS"), await xp()]).toEqual([3, 2, 50])
    expect((await owned()).map(({ key, quantity }) => [key, quantity]).sort()).toEqual([
      ["arrow", 20],
      ["bow", 1],
    ])
    expect(await entitlement("archer")).toMatchObject({ is_active: true, expiration_date: at(7 * 86_400_000) })
    expect(await events("xp_awarded")).toMatchObject([{ properties: { amount: 50, source: "reward" } }])
    expect(await bought()).toMatchObject([{ catalog_item_id: bow.id, reward: given }])
  })

  it("cannot be paid with what the contents give", async () => {
    const { buy, code, fund, onSale } = await storeWorld()
    await fund(9)
    const { listing } = await onSale({ contents: { currencies: { GOLD: 100 } } })
    expect(await code(buy(listing.id))).toBe("INSUFFICIENT_BALANCE")
  })

  it("gives more of the item itself, where its contents say so, and an empty reward for none", async () => {
    const { buy, fund, item, list, onSale, owned, run, shop } = await storeWorld()
    await fund(20)
    const sold = await item({ key: "coin", prices: { GOLD: 1 }, contents: { items: [{ key: "coin", quantity: 4 }] } })
    const { id } = await list({ store_id: shop.id, catalog_item_id: sold.id })
    expect(await run(buy(id))).toMatchObject({ reward: { items: [{ key: "coin", quantity: 4 }], skipped: [] } })
    expect(await owned()).toMatchObject([{ key: "coin", quantity: 5 }])
    const { listing } = await onSale({ contents: {} })
    expect((await run(buy(listing.id))).reward).toEqual({ skipped: [] })
  })

  it("is not sold to who cannot own one more", async () => {
    const { buy, code, fund, onSale, run, balance, transact, userId } = await storeWorld()
    await fund(100)
    const { item, listing } = await onSale()
    await run(buy(listing.id))
    const more = { id: anId(), app_user_id: userId, catalog_item_id: item.id, quantity: 2_147_483_646 }
    await transact((db) => db.inventory.add([more], start))
    expect(await code(buy(listing.id))).toBe("NOT_AVAILABLE")
    expect(await balance()).toBe(90)
  })
})

describe("a purchase with an idempotency key [G6.5, E5]", () => {
  it("is made once, and answered the same whatever has changed since", async () => {
    const { balance, buy, code, core, fund, onSale, owned, projectId, run, shop } = await storeWorld()
    await fund(10)
    const { listing } = await onSale({ contents: { xp: 5 } }, { max_purchases_per_user: 1 })
    const first = await run(buy(listing.id, { key: "k" }))
    expect(await run(buy(listing.id, { key: "k" }))).toEqual(first)
    await run(core.stores.remove(projectId, shop.id))
    expect(await run(buy(listing.id, { key: "k" }))).toEqual(first)
    expect([await balance(), (await owned()).length]).toEqual([0, 1])
    expect(await code(buy(listing.id, { key: "other" }))).toBe("NOT_FOUND")
  })

  it("is refused where the key was used for another one, and free again after a refusal", async () => {
    const { buy, code, fund, onSale, run } = await storeWorld()
    const [first, second] = [await onSale(), await onSale()]
    expect(await code(buy(first.listing.id, { key: "k" }))).toBe("INSUFFICIENT_BALANCE")
    await fund(100)
    await fund(100, "GEMS")
    await run(buy(second.listing.id, { key: "k" }))
    expect(await code(buy(first.listing.id, { key: "k" }))).toBe("IDEMPOTENCY_KEY_REUSED")
    expect(await code(buy(second.listing.id, { key: "k", code: "GEMS" }))).toBe("IDEMPOTENCY_KEY_REUSED")
  })

  it("has a key of its own for every user", async () => {
    const { buy, fund, onSale, run, user, userId } = await storeWorld()
    const other = await user()
    await fund(10)
    await fund(10, "GOLD", other)
    const { listing } = await onSale()
    const [mine, theirs] = [
      await run(buy(listing.id, { key: "k" })),
      await run(buy(listing.id, { key: "k", as: other })),
    ]
    expect(mine.purchase.id).not.toBe(theirs.purchase.id)
    expect(userId).not.toBe(other)
  })
})

describe("purchases at the same time", () => {
  it("pass the limit never [G6.5]", async () => {
    const { balance, buy, codes, fund, onSale, owned } = await storeWorld()
    await fund(1_000)
    const { listing } = await onSale({}, { max_purchases_per_user: 1 })
    const answers = await codes(Array.from({ length: 20 }, () => buy(listing.id)))
    expect(countEach(answers)).toEqual({ ok: 1, PURCHASE_LIMIT_REACHED: 19 })
    expect([await balance(), await owned()]).toMatchObject([990, [{ quantity: 1 }]])
  })

  it("spend no more than there is [E5]", async () => {
    const { balance, buy, codes, fund, onSale, owned } = await storeWorld()
    await fund(10)
    const { listing } = await onSale()
    const answers = await codes(Array.from({ length: 20 }, () => buy(listing.id)))
    expect(countEach(answers)).toEqual({ ok: 1, INSUFFICIENT_BALANCE: 19 })
    expect([await balance(), await owned()]).toMatchObject([0, [{ quantity: 1 }]])
  })

  it("are one under one key", async () => {
    const { balance, buy, fund, onSale, owned, run } = await storeWorld()
    await fund(1_000)
    const { listing } = await onSale({ contents: { xp: 1 } })
    const calls = Array.from({ length: 20 }, () => buy(listing.id, { key: "k" }))
    const answers = await run(Effect.all(calls, { concurrency: "unbounded" }))
    expect(new Set(answers.map(({ purchase }) => purchase.id)).size).toBe(1)
    expect([await balance(), await owned()]).toMatchObject([990, [{ quantity: 1 }]])
  })

  it("of two users do not disturb each other", async () => {
    const { buy, codes, fund, item, onSale, owned, user, xp } = await storeWorld()
    const other = await user()
    await fund(100)
    await fund(100, "GOLD", other)
    await item({ key: "arrow" })
    const contents = { xp: 1, currencies: { GEMS: 1 }, items: [{ key: "arrow", quantity: 1 }] }
    const [one, two] = [await onSale({ contents }), await onSale({ contents })]
    const calls = Array.from({ length: 10 }, () => [buy(one.listing.id), buy(two.listing.id, { as: other })]).flat()
    expect(countEach(await codes(calls))).toEqual({ ok: 20 })
    expect([await xp(), await xp(other)]).toEqual([10, 10])
    expect((await owned(other)).map(({ quantity }) => quantity)).toEqual([10, 10])
  })

  it("end one way or the other while what is sold is removed or changed", async () => {
    const world = await storeWorld()
    const { balance, bought, buy, codes, core, fund, onSale, owned, projectId, shop } = world
    await fund(1_000)
    const { item, listing } = await onSale()
    const calls = Array.from({ length: 8 }, () => buy(listing.id))
    const changes = [
      core.stores.updateListing(projectId, shop.id, listing.id, { override_prices: { GOLD: 20 } }),
      core.catalog.update(projectId, item.id, { is_active: true }),
      core.stores.update(projectId, shop.id, { name: "New" }),
      core.stores.removeListing(projectId, shop.id, listing.id),
      core.catalog.remove(projectId, item.id),
    ]
    const answers = countEach((await codes([...calls, ...changes])).slice(0, calls.length))
    expect(Object.keys(answers).filter((code) => !["ok", "NOT_FOUND", "NOT_AVAILABLE"].includes(code))).toEqual([])
    const spent = (await bought()).reduce((sum, { price }) => sum + price, 0)
    expect(await balance()).toBe(1_000 - spent)
    expect((await owned()).reduce((sum, { quantity }) => sum + quantity, 0)).toBe(answers["ok"] ?? 0)
  })
})

describe("taking a purchase back [G4.7]", () => {
  const setUp = async () => {
    const world = await storeWorld()
    const { buy, core, fund, onSale, projectId, run, transactions } = world
    await fund(30)
    const { item, listing } = await onSale(
      { contents: { xp: 5, currencies: { GEMS: 2 } } },
      { max_purchases_per_user: 1 },
    )
    const { purchase } = await run(buy(listing.id))
    const [paid] = (await transactions()).filter(({ transaction_type }) => transaction_type === "purchase")
    return { ...world, item, listing, purchase, reverse: () => core.currencies.reverse(projectId, paid?.id ?? "") }
  }

  it("gives the price back and takes the item; the contents stay", async () => {
    const { balance, bought, owned, purchase, reverse, run, world, xp } = await setUp()
    await world.advance("1 hour")
    expect(await run(reverse())).toMatchObject({
      balance: 30,
      transaction: { transaction_type: "reversal", amount: 10 },
    })
    expect(await owned()).toEqual([])
    expect([await xp(), await balance("GEMS")]).toEqual([5, 2])
    expect(await bought()).toMatchObject([{ id: purchase.id, reversed_at: world.clock.now() }])
  })

  it("does not count for the limit any more", async () => {
    const { buy, code, core, listing, projectId, reverse, run, shop, userId } = await setUp()
    expect(await code(buy(listing.id))).toBe("PURCHASE_LIMIT_REACHED")
    await run(reverse())
    const offers = await run(core.stores.offers(projectId, userId, shop.id, { limit: 50, offset: 0 }))
    expect(offers.rows).toMatchObject([{ purchases_left: 1 }])
    await run(buy(listing.id))
    expect(await code(buy(listing.id))).toBe("PURCHASE_LIMIT_REACHED")
  })

  it("is refused where the item is used up, and changes nothing then", async () => {
    const { balance, bought, code, core, item, projectId, reverse, run, userId } = await setUp()
    await run(core.inventory.consume(projectId, userId, item.id, { quantity: 1 }))
    expect(await code(reverse())).toBe("INSUFFICIENT_QUANTITY")
    expect([await balance(), await bought()]).toMatchObject([20, [{ reversed_at: null }]])
    // And where the item is gone altogether.
    await run(core.catalog.remove(projectId, item.id))
    expect(await code(reverse())).toBe("INSUFFICIENT_QUANTITY")
  })

  it("is done once, however many do it at once", async () => {
    const { balance, codes, owned, reverse } = await setUp()
    const answers = await codes(Array.from({ length: 8 }, reverse))
    expect(countEach(answers)).toEqual({ ok: 1, ALREADY_REVERSED: 7 })
    expect([await balance(), await owned()]).toEqual([30, []])
  })

  it("takes one of several, of which the first acquired stays", async () => {
    const { core, item, owned, projectId, reverse, run, userId } = await setUp()
    const arrows = { reward: { items: [{ key: item.key, quantity: 2 }] } }
    await run(core.rewards.give(projectId, userId, arrows, null))
    await run(reverse())
    expect(await owned()).toMatchObject([{ quantity: 2, acquired_at: start }])
  })
})
