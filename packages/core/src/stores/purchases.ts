import { Effect, Option, Struct } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import { lockPurses, makeWallets } from "../currencies/change-wallets.ts"
import type { CurrencyRow } from "../currencies/currency.ts"
import { fromUnits } from "../currencies/money.ts"
import { InvalidToken, NotFound } from "../failure.ts"
import { answerOnce } from "../idempotency/answer-once.ts"
import type { IdempotencyDb } from "../idempotency/port.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { type GiveRewardsDb, makeGiveRewards } from "../rewards/give-rewards.ts"
import { readStoredReward } from "../rewards/reward.ts"
import type { JsonObject } from "../schema.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { together } from "../together.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import type { CatalogItem } from "./catalog-item.ts"
import { CurrencyNotAccepted, NotAvailable, PurchaseLimitReached } from "./failures.ts"
import { mostOwned } from "./inventory-item.ts"
import { Bought, boughtNames, type Purchase, type PurchaseRequest } from "./purchase.ts"
import { findPrice } from "./purchase-rules.ts"
import type { Listing } from "./store.ts"
import { isEligible } from "./storefront.ts"

type PurchasesDb = GiveRewardsDb & IdempotencyDb & SegmentsDb & UsersDb

/** Who wants what from where, and with what they pay. */
interface Order {
  readonly app_user_id: string
  readonly store_id: string
  readonly listing_id: string
  readonly currency_code: string
}

/** What is bought, once it is known that it is sold. */
interface Offer {
  readonly listing: Listing
  readonly item: CatalogItem
  readonly price: number
}

/** What users buy [G6.5]. */
export const makePurchases = (
  { clock, ids, tenants }: Pick<Ports<PurchasesDb>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<PurchasesDb>, "transact">,
) => {
  const wallets = makeWallets(ids)
  const giveRewards = makeGiveRewards({ clock, ids })

  /**
   * Locks a currency against removal, and answers whether it is there. A purchase can change a wallet twice; then PostgreSQL
   * looks for its currency again, and a removal that waits for the wallet would be waited for.
   */
  const lockCurrency = (db: PurchasesDb, currency: CurrencyRow | undefined) =>
    currency === undefined
      ? Effect.succeed(false)
      : Effect.map(db.currencies.lock(currency.id, "key share"), Option.isSome)

  /** Locks the user, the store, the item and the currency against removal, and answers what the listing is sold for, or why it is not. */
  const findOffer = Effect.fnUntraced(function* (db: PurchasesDb, order: Order) {
    const { app_user_id, store_id, listing_id, currency_code } = order
    const [user, foundStore, foundListing, [currency]] = yield* together([
      db.users.lock(app_user_id, "key share"),
      db.stores.lock(store_id, "key share"),
      db.listings.find({ id: listing_id, store_id }),
      db.currencies.findCodes([currency_code]),
    ])
    if (Option.isNone(user)) return yield* new InvalidToken()
    if (Option.isNone(foundStore) || Option.isNone(foundListing)) return yield* new NotFound()
    const [store, listing] = [foundStore.value, foundListing.value]
    const [item, isMember, isCurrency] = yield* together([
      db.catalogItems.lock(listing.catalog_item_id, "key share"),
      isEligible(db, store, app_user_id),
      lockCurrency(db, currency),
    ])
    if (Option.isNone(item)) return yield* new NotFound()
    const price = yield* Effect.fromResult(
      findPrice({
        ...{ store, isMember, listing, item: item.value },
        ...{ currencyCode: currency_code, isCurrency, now: clock.now() },
      }),
    )
    return { listing, item: item.value, price } satisfies Offer
  })

  /** Fails where the user may not buy it again, or cannot own one more. The caller holds the purse. */
  const checkLimits = Effect.fnUntraced(function* (db: PurchasesDb, { app_user_id }: Order, { listing, item }: Offer) {
    const most = listing.max_purchases_per_user
    const [bought, owned] = yield* together([
      most === null ? Effect.succeed(new Map()) : db.purchases.countByListing(app_user_id, [listing.id]),
      db.inventory.find({ app_user_id, catalog_item_id: item.id }),
    ])
    if (most !== null && (bought.get(listing.id) ?? 0) >= most) return yield* new PurchaseLimitReached()
    if (Option.isSome(owned) && owned.value.quantity >= mostOwned) return yield* new NotAvailable()
  })

  /** Gives an item that has no contents. */
  const addItem = (db: PurchasesDb, { app_user_id }: Order, { id: catalog_item_id }: CatalogItem, now: Date) =>
    Effect.as(db.inventory.add([{ id: ids.uuid(), app_user_id, catalog_item_id, quantity: 1 }], now), [])

  const writePurchased = (db: PurchasesDb, { id, app_user_id, created_at, ...bought }: Purchase) => {
    const { listing_id, catalog_item_id, key, currency_code, price } = bought
    const event = { app_user_id, event_name: "item_purchased", occurred_at: created_at, id: ids.uuid() }
    const properties = { purchase_id: id, listing_id, catalog_item_id, key, currency_code, price }
    return db.events.insertCaused([{ ...event, properties, cause_key: `stores/${id}/item_purchased` }])
  }

  const buy = Effect.fnUntraced(function* (db: PurchasesDb, order: Order) {
    const offer = yield* findOffer(db, order)
    const { app_user_id, currency_code } = order
    const { listing, item, price } = offer
    yield* lockPurses(db, [app_user_id])
    yield* checkLimits(db, order, offer)
    const contents = readStoredReward(item.contents)
    // Before the wallet, as the locks are ordered.
    if (contents.xp > 0) yield* db.xpTotals.lockMany([app_user_id])
    const now = clock.now()
    const id = ids.uuid()
    const amount = { app_user_id, currency_code, amount: price, source: "store" as const, reference_id: id }
    const paid = yield* wallets.debit(db, { ...amount, transaction_type: "purchase" }, now)
    // The currency was removed in this moment.
    if (paid === null) return yield* new CurrencyNotAccepted()
    const gift = { app_user_id, reward: contents, cause: `stores/${id}`, source: "store" as const, reference_id: id }
    const [reward = null] =
      item.contents === null
        ? yield* addItem(db, order, item, now)
        : yield* giveRewards(db, [{ ...gift, bought: item.id }], now)
    const purchase: Purchase = {
      ...{ id, ...order, catalog_item_id: item.id, key: item.key, price, listing_id: listing.id },
      ...{ reward: reward as JsonObject | null, created_at: now, reversed_at: null },
    }
    yield* Effect.orDie(db.purchases.insert(purchase))
    yield* writePurchased(db, purchase)
    // The contents may have given some of it back. What two answers say is not added: above 2^39 they are not exact [G4.2].
    const isCredited = (reward?.currencies?.[currency_code] ?? 0) > 0
    const [credited] = isCredited ? yield* db.wallets.open([paid.transaction]) : []
    const balance = credited?.wallet ? fromUnits(credited.wallet.balance) : paid.balance
    return { purchase: Struct.pick(purchase, boughtNames), balance, reward }
  })

  return {
    /**
     * Buys one of an item, with its contents, in one transaction. A known key is answered before every check [G6.5]. `NOT_FOUND`;
     * `NOT_ELIGIBLE`; `NOT_AVAILABLE`; `CURRENCY_NOT_ACCEPTED`; `PURCHASE_LIMIT_REACHED`; `INSUFFICIENT_BALANCE`, in this order;
     * `IDEMPOTENCY_KEY_REUSED` with another input [E5]; `INVALID_TOKEN` for a user who is gone.
     */
    buy: Effect.fn("purchases.buy")(
      (projectId: string, userId: string, storeId: string, listingId: string, request: PurchaseRequest) =>
        background.transact(projectId, (db) => {
          const { currency_code, idempotency_key = null } = request
          const order = { store_id: storeId, listing_id: listingId, currency_code }
          return answerOnce(
            db,
            {
              ...{ operation: "purchases.buy", caller: userId, owner: userId, key: idempotency_key },
              ...{ input: order, answer: Bought, now: clock.now() },
            },
            buy(db, { ...order, app_user_id: userId }),
          )
        }),
    ),

    /** What a user has bought, the newest first, for developers [G6.6]. `USER_NOT_FOUND`. */
    ofUser: Effect.fn("purchases.ofUser")((projectId: string, userId: string, slice: Slice) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.users.find({ id: userId }), UserNotFound)
          return yield* db.purchases.page(
            { app_user_id: userId },
            [
              ["created_at", "desc"],
              ["id", "desc"],
            ],
            slice,
          )
        }),
      ),
    ),
  }
}
