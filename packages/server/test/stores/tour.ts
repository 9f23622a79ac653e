import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

interface Row {
  readonly id: string
}

/** The catalog, a store, a purchase and what becomes of it. Input cannot change what the service sets. */
export const tour: Tour = async ({ admin, client, userId }) => {
  await admin("POST /currencies", { body: { code: "GOLD", name: "Gold", initial_balance: 100 } })
  const fields = { key: "sword", name: "Sword", item_type: "weapon", prices: { GOLD: 30 }, contents: { xp: 5 } }
  const item = await admin("POST /catalog/items", { body: fields })
  expect(item).toMatchObject({ ...fields, description: null, metadata: {}, is_active: true })
  const itemId = item["id"]
  expect(await admin("GET /catalog/items", { query: "item_type=weapon" })).toEqual([item])
  expect(await admin("PATCH /catalog/items/:itemId", { itemId, body: { name: "Long sword" } })).toMatchObject({
    ...{ id: itemId, name: "Long sword" },
  })

  const store = await admin("POST /stores", { body: { name: "Store" } })
  expect(store).toMatchObject({ name: "Store", description: null, segment_id: null, is_active: true })
  const storeId = store["id"]
  expect(await admin("GET /stores")).toEqual([store])
  await admin("PATCH /stores/:storeId", { storeId, body: { description: "Open" } })
  const listing = await admin("POST /stores/:storeId/listings", { storeId, body: { catalog_item_id: itemId } })
  const listingId = listing["id"]
  expect(listing).toMatchObject({ store_id: storeId, catalog_item_id: itemId, sort_order: 0 })
  await admin("PATCH /stores/:storeId/listings/:listingId", {
    ...{ storeId, listingId, body: { override_prices: { GOLD: 20 }, max_purchases_per_user: 2 } },
  })
  expect(await admin("GET /stores/:storeId/listings", { storeId })).toMatchObject([
    { id: listingId, catalog_items: { key: "sword", name: "Long sword", icon_url: null, item_type: "weapon" } },
  ])

  expect(await client("GET /client/stores")).toMatchObject([{ id: storeId, description: "Open" }])
  const offer = { id: listingId, prices: { GOLD: 20 }, purchases_left: 2, catalog_items: { metadata: {} } }
  expect(await client("GET /client/stores/:storeId/listings", { storeId })).toMatchObject([offer])
  const buy = { storeId, listingId, body: { currency_code: "GOLD", idempotency_key: "once" } }
  const bought = await client("POST /client/stores/:storeId/listings/:listingId/purchase", buy)
  expect(bought).toEqual({
    purchase: {
      ...{ id: expect.any(String), listing_id: listingId, catalog_item_id: itemId },
      ...{ currency_code: "GOLD", price: 20, created_at: expect.any(String) },
    },
    ...{ balance: 80, reward: { xp: 5, skipped: [] } },
  })
  expect(await client("POST /client/stores/:storeId/listings/:listingId/purchase", buy)).toEqual(bought)
  const owned = await client<ReadonlyArray<Row>>("GET /client/inventory")
  expect(owned).toMatchObject([{ catalog_item_id: itemId, key: "sword", name: "Long sword", quantity: 1 }])
  expect(await admin("GET /users/:userId/inventory", { userId })).toEqual(owned)
  expect(await admin("GET /users/:userId/purchases", { userId })).toMatchObject([
    { listing_id: listingId, store_id: storeId, key: "sword", price: 20, reversed_at: null },
  ])
  const use = { catalogItemId: itemId, body: {} }
  expect(await client("POST /client/inventory/:catalogItemId/consume", use)).toMatchObject({ quantity: 0 })
  expect(await client("GET /client/inventory")).toEqual([])

  await admin("DELETE /stores/:storeId/listings/:listingId", { storeId, listingId })
  await admin("DELETE /stores/:storeId", { storeId })
  await admin("DELETE /catalog/items/:itemId", { itemId })
  expect(await admin<ReadonlyArray<Row>>("GET /users/:userId/purchases", { userId })).toHaveLength(1)
}
