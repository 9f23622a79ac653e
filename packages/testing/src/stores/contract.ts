import type { TenantDb } from "@hearth/core"
import { type CatalogItem, type Listing, mostOwned, type Store } from "@hearth/core/stores"
import { Effect } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { aSegment } from "../segments/builders.ts"
import { writeUser } from "../users/tables.ts"
import { aCatalogItem, aListing, anInventoryRow, aPurchase, aStore } from "./builders.ts"

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)
const all = { limit: 10, offset: 0 }

const makeTools = (db: DatabaseUnderTest<TenantDb>) => {
  const item = async (given: Partial<CatalogItem> = {}) => {
    const row = aCatalogItem(given)
    await db.transact((tx) => Effect.orDie(tx.catalogItems.insert(row)))
    return row
  }
  const store = async (given: Partial<Store> = {}) => {
    const row = aStore(given)
    await db.transact((tx) => Effect.orDie(tx.stores.insert(row)))
    return row
  }
  const listing = async (store_id: string, catalog_item_id: string, given: Partial<Listing> = {}) => {
    const row = aListing({ store_id, catalog_item_id, ...given })
    await db.transact((tx) => Effect.orDie(tx.listings.insert(row)))
    return row
  }
  return { item, store, listing, user: () => db.transact(writeUser) }
}

/** What a project promises about stores and what they sell, beyond their tables. */
export const storesContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("stores", () => {
    let db: DatabaseUnderTest<TenantDb>
    let tools: ReturnType<typeof makeTools>
    beforeAll(async () => {
      db = await open()
      tools = makeTools(db)
    })
    beforeEach(() => db.transact((tx) => tx.stores.remove({})))

    it("answer the items of keys that there are, by id, each once", async () => {
      const [one, two] = [await tools.item(), await tools.item()]
      const found = await db.transact((tx) => tx.catalogItems.lockKeys([two.key, "none", one.key, two.key]))
      expect(found).toStrictEqual([one, two].map(({ id, key }) => ({ id, key })))
      expect(await db.transact((tx) => tx.catalogItems.lockKeys([]))).toEqual([])
    })

    it("keep the items of keys that are locked from being removed, and no others", async () => {
      const [locked, other] = [await tools.item(), await tools.item()]
      const locking = beginOn(db)
      await locking.step((tx) => tx.catalogItems.lockKeys([locked.key]))
      const remove = ({ id }: CatalogItem) => db.transact((tx) => tx.catalogItems.remove({ id }))
      expect(await isWaiting(remove(other), false)).toBe(false)
      const removing = remove(locked)
      expect(await isWaiting(removing)).toBe(true)
      await locking.commit()
      await removing
    })

    it("lose their prices in a currency that is removed, and no others [G4.9]", async () => {
      const [priced, plain] = [
        await tools.item({ prices: { GOLD: 1, GEMS: 2 } }),
        await tools.item({ prices: { GEMS: 3 } }),
      ]
      const shop = await tools.store()
      const own = await tools.listing(shop.id, priced.id, { override_prices: { GOLD: 5, GEMS: 6 } })
      const bare = await tools.listing(shop.id, plain.id, { override_prices: null })
      await db.transact((tx) => tx.catalogItems.removePrices("GOLD"))
      await db.transact((tx) => tx.listings.removePrices("GOLD"))
      const { rows } = await db.read((tx) => tx.listings.pageOfStore(shop.id, all))
      const found = rows.map(({ listing, item }) => [listing.id, listing.override_prices, item.prices])
      expect(found).toHaveLength(2)
      expect(found).toContainEqual([own.id, { GEMS: 6 }, { GEMS: 2 }])
      expect(found).toContainEqual([bare.id, null, { GEMS: 3 }])
    })

    it("are open to everybody, or to the members of their segment [G6.4, G0.7]", async () => {
      const [member, stranger] = [await tools.user(), await tools.user()]
      const segment = aSegment()
      await db.transact((tx) => Effect.orDie(tx.segments.insert(segment)))
      await db.transact((tx) => tx.segmentMembers.add([segment.id], [member], at(0)))
      const free = await tools.store({ created_at: at(0) })
      const closed = await tools.store({ created_at: at(1), segment_id: segment.id })
      const late = await tools.store({ created_at: at(2) })
      await tools.store({ is_active: false })
      await tools.store({ is_active: false, segment_id: segment.id })
      await tools.store({ segment_id: anId() })
      const openTo = (userId: string, slice = all) => db.read((tx) => tx.stores.pageOpenTo(userId, slice))
      expect(await openTo(member)).toStrictEqual({ rows: [free, closed, late], total: 3 })
      expect(await openTo(stranger)).toStrictEqual({ rows: [free, late], total: 2 })
      expect(await openTo(member, { limit: 1, offset: 1 })).toStrictEqual({ rows: [closed], total: 3 })
      // A segment that is gone has no members, never everybody.
      await db.transact((tx) => tx.segments.remove({ id: segment.id }))
      expect(await openTo(member)).toStrictEqual({ rows: [free, late], total: 2 })
      expect(await db.read((tx) => tx.stores.list({ id: closed.id }, []))).toStrictEqual([closed])
    })

    it("list what they sell by sort order, with the items", async () => {
      const [mine, other] = [await tools.store(), await tools.store()]
      const items = [await tools.item({ prices: { A: 1 } }), await tools.item({ is_active: false }), await tools.item()]
      const ids = items.map(({ id }) => id) as [string, string, string]
      const last = await tools.listing(mine.id, ids[0], { sort_order: 2 })
      const young = await tools.listing(mine.id, ids[1], { sort_order: -1, created_at: at(1) })
      const old = await tools.listing(mine.id, ids[2], { sort_order: -1, created_at: at(0) })
      await tools.listing(other.id, ids[0])
      const rows = [
        { listing: old, item: items[2] },
        { listing: young, item: items[1] },
        { listing: last, item: items[0] },
      ]
      const page = (slice = all) => db.read((tx) => tx.listings.pageOfStore(mine.id, slice))
      expect(await page()).toStrictEqual({ rows, total: 3 })
      expect(await page({ limit: 1, offset: 2 })).toStrictEqual({ rows: rows.slice(2), total: 3 })
      expect(await page({ limit: 1, offset: 3 })).toStrictEqual({ rows: [], total: 3 })
      const onSale = await db.read((tx) => tx.listings.pageOnSale(mine.id, at(0), all))
      expect(onSale).toStrictEqual({ rows: [rows[0], rows[2]], total: 2 })
    })

    it("are in one order, and what they sell too, where all was made at once: by id", async () => {
      const made = [...Array(6)].map(() => anId()).toSorted()
      const shuffled = [4, 1, 5, 0, 3, 2].map((each) => made[each] as string)
      const buyer = await tools.user()
      for (const id of shuffled) await tools.store({ id, created_at: at(0) })
      const [shop = ""] = made
      for (const id of shuffled) await tools.listing(shop, (await tools.item()).id, { id, created_at: at(0) })
      const stores = await db.read((tx) => tx.stores.pageOpenTo(buyer, all))
      expect(stores.rows.map(({ id }) => id)).toEqual(made)
      const onSale = await db.read((tx) => tx.listings.pageOnSale(shop, at(0), all))
      const listed = await db.read((tx) => tx.listings.pageOfStore(shop, all))
      for (const { rows } of [onSale, listed]) expect(rows.map(({ listing }) => listing.id)).toEqual(made)
    })

    it("sell from the first instant to the last one, exclusive [A12]", async () => {
      const { id } = await tools.store()
      const dates = [
        { available_from: at(0) },
        { available_from: at(1) },
        { available_until: at(0) },
        { available_until: at(1) },
        { available_from: at(-1), available_until: at(1) },
      ]
      for (const [sort_order, each] of dates.entries())
        await tools.listing(id, (await tools.item()).id, { sort_order, ...each })
      const { rows } = await db.read((tx) => tx.listings.pageOnSale(id, at(0), all))
      expect(rows.map(({ listing }) => listing.sort_order)).toEqual([0, 3, 4])
    })

    it("lose their listings with themselves and with the items, which stay", async () => {
      const [one, two] = [await tools.store(), await tools.store()]
      const [sword, shield] = [await tools.item(), await tools.item()]
      await tools.listing(one.id, sword.id)
      await tools.listing(two.id, sword.id)
      const kept = await tools.listing(two.id, shield.id)
      await db.transact((tx) => tx.stores.remove({ id: one.id }))
      await db.transact((tx) => tx.catalogItems.remove({ id: sword.id }))
      expect(await db.read((tx) => tx.listings.list({}, []))).toStrictEqual([kept])
    })
  })

/** What a project promises about what users own and have bought, beyond the tables. */
export const inventoryContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("inventory", () => {
    let db: DatabaseUnderTest<TenantDb>
    let tools: ReturnType<typeof makeTools>
    beforeAll(async () => {
      db = await open()
      tools = makeTools(db)
    })

    const owned = (app_user_id: string) => db.read((tx) => tx.inventory.list({ app_user_id }, [["quantity", "asc"]]))
    const add = (app_user_id: string, catalog_item_id: string, quantity: number, when = at(0), id = anId()) =>
      db.transact((tx) => tx.inventory.add([{ id, app_user_id, catalog_item_id, quantity }], when))

    it("adds items of several users, and answers what was added in the order of the call", async () => {
      const [ada, bob] = [await tools.user(), await tools.user()]
      const [sword, shield] = [(await tools.item()).id, (await tools.item()).id]
      await add(ada, sword, 2)
      const more = [
        { id: anId(), app_user_id: bob, catalog_item_id: sword, quantity: 1 },
        { id: anId(), app_user_id: ada, catalog_item_id: sword, quantity: 3 },
        { id: anId(), app_user_id: ada, catalog_item_id: shield, quantity: 9 },
      ]
      const added = await db.transact((tx) => tx.inventory.add(more, at(5)))
      expect(added).toStrictEqual(more.map(({ id: _, ...rest }) => rest))
      expect((await owned(ada)).map(({ id: _, ...row }) => row)).toStrictEqual([
        { app_user_id: ada, catalog_item_id: sword, quantity: 5, acquired_at: at(0), updated_at: at(5) },
        { app_user_id: ada, catalog_item_id: shield, quantity: 9, acquired_at: at(5), updated_at: at(5) },
      ])
      expect(await owned(bob)).toStrictEqual([{ ...more[0], acquired_at: at(5), updated_at: at(5) }])
      expect(await db.transact((tx) => tx.inventory.add([], at(0)))).toEqual([])
    })

    it("cuts what is more than a user can own", async () => {
      const [user, item] = [await tools.user(), (await tools.item()).id]
      await add(user, item, mostOwned - 2)
      expect(await add(user, item, 1_000_000, at(1))).toMatchObject([{ quantity: 2 }])
      expect(await add(user, item, 1, at(2))).toMatchObject([{ quantity: 0 }])
      expect(await owned(user)).toMatchObject([{ quantity: mostOwned, updated_at: at(1) }])
    })

    it("refuses a user or an item that is not there", async () => {
      const [user, item] = [await tools.user(), (await tools.item()).id]
      const attempt = (app_user_id: string, catalog_item_id: string) =>
        db.attempt((tx) => tx.inventory.add([{ id: anId(), app_user_id, catalog_item_id, quantity: 1 }], at(0)))
      expect(died(await attempt(anId(), item))).toBe(true)
      expect(died(await attempt(user, anId()))).toBe(true)
    })

    it("refuses an item of a user twice in a call", async () => {
      const [app_user_id, catalog_item_id] = [await tools.user(), (await tools.item()).id]
      const twice = [1, 2].map((quantity) => ({ id: anId(), app_user_id, catalog_item_id, quantity }))
      expect(died(await db.attempt((tx) => tx.inventory.add(twice, at(0))))).toBe(true)
      expect(await owned(app_user_id)).toEqual([])
    })

    it("lists what a user owns, the last acquired first", async () => {
      const [user, other] = [await tools.user(), await tools.user()]
      const items = [await tools.item({ icon_url: "https://a.example", item_type: "weapon" }), await tools.item()]
      const ids = items.map(({ id }) => id) as [string, string]
      await add(user, ids[0], 2, at(0))
      await add(user, ids[1], 1, at(1))
      await add(other, ids[0], 7)
      const shown = items.map(({ id: catalog_item_id, key, name, icon_url, item_type }) => ({
        ...{ catalog_item_id, key, name, icon_url, item_type },
      }))
      const page = (slice = all) => db.read((tx) => tx.inventory.pageOfUser(user, slice))
      const rows = [
        { ...shown[1], quantity: 1, acquired_at: at(1) },
        { ...shown[0], quantity: 2, acquired_at: at(0) },
      ]
      expect(await page()).toStrictEqual({ rows, total: 2 })
      expect(await page({ limit: 1, offset: 1 })).toStrictEqual({ rows: rows.slice(1), total: 2 })
      expect(await db.read((tx) => tx.inventory.pageOfUser(anId(), all))).toEqual({ rows: [], total: 0 })
    })

    it("goes with its user and its item", async () => {
      const [ada, bob] = [await tools.user(), await tools.user()]
      const [sword, shield] = [(await tools.item()).id, (await tools.item()).id]
      for (const user of [ada, bob]) for (const item of [sword, shield]) await add(user, item, 1)
      await db.transact((tx) => tx.users.remove({ id: ada }))
      await db.transact((tx) => tx.catalogItems.remove({ id: sword }))
      expect(await owned(ada)).toEqual([])
      expect(await owned(bob)).toMatchObject([{ catalog_item_id: shield }])
      const orphan = anInventoryRow({ app_user_id: ada, catalog_item_id: shield })
      expect(died(await db.attempt((tx) => tx.inventory.insert(orphan)))).toBe(true)
    })

    it("counts purchases by listing, without those that were taken back", async () => {
      const [user, other] = [await tools.user(), await tools.user()]
      const [one, two, three] = [anId(), anId(), anId()]
      const rows = [
        aPurchase({ app_user_id: user, listing_id: one }),
        aPurchase({ app_user_id: user, listing_id: one }),
        aPurchase({ app_user_id: user, listing_id: one, reversed_at: at(0) }),
        aPurchase({ app_user_id: user, listing_id: two, reversed_at: at(0) }),
        aPurchase({ app_user_id: user, listing_id: three }),
        aPurchase({ app_user_id: other, listing_id: one }),
      ]
      await db.transact((tx) => Effect.orDie(Effect.forEach(rows, (row) => tx.purchases.insert(row))))
      const count = (...ids: ReadonlyArray<string>) => db.read((tx) => tx.purchases.countByListing(user, ids))
      expect(await count(two, one, anId())).toEqual(new Map([[one, 2]]))
      expect(await count()).toEqual(new Map())
      await db.transact((tx) => tx.users.remove({ id: user }))
      expect(await count(one, three)).toEqual(new Map())
    })
  })
