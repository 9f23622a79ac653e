import type { TenantDb } from "@hearth/core"
import { type CurrencyRow, lockPurses, makeWallets } from "@hearth/core/currencies"
import type { CatalogItem, Listing, Store } from "@hearth/core/stores"
import { aCatalogItem, aListing, anId, aStore, testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"

const all = { limit: 1_000, offset: 0 }

/** A project with GOLD and GEMS, a store and a user. */
export const storeWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { core, run, tenants, ports } = world
  const wallets = makeWallets(ports.ids)

  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => run(tenants.transact(projectId, work))
  const read = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => run(tenants.read(projectId, work))
  const insert = async <Row>(
    row: Row,
    table: (db: TenantDb) => { insert: (row: Row) => Effect.Effect<void, unknown> },
  ) => {
    await transact((db) => Effect.orDie(table(db).insert(row)))
    return row
  }
  const currency = (code: string, given: Partial<CurrencyRow> = {}) =>
    insert<CurrencyRow>(
      {
        ...{ id: anId(), code, name: code, description: null, is_premium: false, initial_balance: 0, rules: 0 },
        ...{ max_balance: null, auto_recharge_amount: null, auto_recharge_interval_hours: null },
        ...{ created_at: new Date("2026-01-01T00:00:00.000Z"), ...given },
      },
      (db) => db.currencies,
    )
  const item = (given: Partial<CatalogItem> = {}) => insert(aCatalogItem(given), (db) => db.catalogItems)
  const store = (given: Partial<Store> = {}) => insert(aStore(given), (db) => db.stores)
  const list = (given: Pick<Listing, "store_id" | "catalog_item_id"> & Partial<Listing>) =>
    insert(aListing(given), (db) => db.listings)

  await currency("GOLD")
  await currency("GEMS")
  const shop = await store()

  return {
    ...{ world, core, run, projectId, userId, transact, read, currency, item, store, list, shop },
    /** An item for 10 GOLD and 1 GEMS, listed in the shop. */
    onSale: async (given: Partial<CatalogItem> = {}, listed: Partial<Listing> = {}) => {
      const sold = await item({ prices: { GOLD: 10, GEMS: 1 }, ...given })
      return { item: sold, listing: await list({ store_id: shop.id, catalog_item_id: sold.id, ...listed }) }
    },
    user: async () => (await world.aSignedInUser(projectId)).userId,
    fund: (amount: number, currency_code = "GOLD", app_user_id = userId) =>
      transact((db) =>
        Effect.andThen(
          lockPurses(db, [app_user_id]),
          wallets.credit(
            db,
            [{ app_user_id, currency_code, amount, transaction_type: "grant", source: "admin", reference_id: null }],
            world.clock.now(),
          ),
        ),
      ),
    buy: (listingId: string, more: { as?: string; code?: string; key?: string; storeId?: string } = {}) => {
      const { as = userId, code = "GOLD", key, storeId = shop.id } = more
      const request = { currency_code: code, ...(key !== undefined && { idempotency_key: key }) }
      return core.purchases.buy(projectId, as, storeId, listingId, request)
    },
    transactions: async (id = userId) => (await read((db) => db.wallets.transactions(id, all))).rows,
    balance: async (code = "GOLD", id = userId) => {
      const { rows } = await read((db) => db.wallets.transactions(id, all))
      return rows.find(({ currency_code }) => currency_code === code)?.balance_after ?? 0
    },
    owned: async (id = userId) => (await run(core.inventory.own(projectId, id, all))).rows,
    bought: async (id = userId) => (await run(core.purchases.ofUser(projectId, id, all))).rows,
    events: async (name: string, id = userId) =>
      (await read((db) => db.events.pageOfUser(id, all))).rows.filter(({ event_name }) => event_name === name),
    xp: async (id = userId) => (await read((db) => db.xpTotals.find(id))).total,
    entitlement: async (entitlement_id: string, id = userId) =>
      Option.getOrNull(await read((db) => db.entitlements.find({ app_user_id: id, entitlement_id }))),
    code: (effect: Effect.Effect<unknown, { readonly code: string }>) =>
      run(Effect.map(Effect.flip(effect), ({ code }) => code)),
    codes: (effects: ReadonlyArray<Effect.Effect<unknown, { readonly code: string }>>) =>
      run(
        Effect.all(
          effects.map((effect) => Effect.match(effect, { onFailure: ({ code }) => code, onSuccess: () => "ok" })),
          { concurrency: "unbounded" },
        ),
      ),
  }
}

/** How often each text is there. */
export const countEach = (texts: ReadonlyArray<string>): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, same]) => [text, same.length]))
