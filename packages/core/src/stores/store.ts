import { Schema } from "effect"
import { failure } from "../failure.ts"
import { Count, Name, Prose, partial, Timestamp, Uuid, Whole, withDefaults } from "../schema.ts"
import { Prices, PricesInput } from "./catalog-item.ts"

/** The store has the item already [G6.2]. */
export class AlreadyListed extends failure(
  "AlreadyListed",
  "conflict",
  "ALREADY_LISTED",
  "The item is listed in this store.",
) {}

const storeFields = {
  name: Name,
  description: Schema.NullOr(Prose),
  /** Only members may buy here; null is everybody. One that is gone has no members [G0.7]. */
  segment_id: Schema.NullOr(Uuid),
}

/** A place where items are sold (spec: store). */
export const Store = Schema.Struct({
  id: Uuid,
  ...storeFields,
  is_active: Schema.Boolean,
  created_at: Timestamp,
}).annotate({ identifier: "Store" })
export type Store = typeof Store.Type

/** The fields with which a store is made. It is open from then on. */
export const NewStore = Schema.Struct(withDefaults(storeFields, { description: null, segment_id: null })).annotate({
  identifier: "NewStore",
})
export type NewStore = typeof NewStore.Type

/** The fields of a store that can be changed. Those left out stay. */
export const StoreChanges = Schema.Struct(partial({ ...storeFields, is_active: Schema.Boolean })).annotate({
  identifier: "StoreChanges",
})
export type StoreChanges = typeof StoreChanges.Type

const listingFields = {
  sort_order: Whole.check(Schema.isBetween({ minimum: -2_147_483_648, maximum: 2_147_483_647 })),
  available_from: Schema.NullOr(Timestamp),
  available_until: Schema.NullOr(Timestamp),
  /** How often a user may buy it; null is without limit. */
  max_purchases_per_user: Schema.NullOr(Count.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))),
}

/** An item on sale in a store (spec: listing). Unique: (`store_id`, `catalog_item_id`). */
export const Listing = Schema.Struct({
  id: Uuid,
  store_id: Uuid,
  catalog_item_id: Uuid,
  ...listingFields,
  /** Prices that hold here in place of the item's, by currency. */
  override_prices: Schema.NullOr(Prices),
  created_at: Timestamp,
}).annotate({ identifier: "Listing" })
export type Listing = typeof Listing.Type

const given = { ...listingFields, override_prices: Schema.NullOr(PricesInput) }

/** The fields with which an item is listed. */
export const NewListing = Schema.Struct({
  catalog_item_id: Uuid,
  ...withDefaults(given, {
    ...{ sort_order: 0, override_prices: null, max_purchases_per_user: null },
    ...{ available_from: null, available_until: null },
  }),
})
export type NewListing = typeof NewListing.Type

/** The fields of a listing that can be changed. Those left out stay. */
export const ListingChanges = Schema.Struct(partial(given))
export type ListingChanges = typeof ListingChanges.Type

/** Whether something is on sale at `now`, by its times: from ≤ now < until [A12]. */
export const isOnSale = (
  { available_from, available_until }: Pick<Listing, "available_from" | "available_until">,
  now: Date,
): boolean => (available_from === null || available_from <= now) && (available_until === null || now < available_until)
