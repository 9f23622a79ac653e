import { Schema, Struct } from "effect"
import { Count } from "../schema.ts"
import { CatalogItem, Prices } from "./catalog-item.ts"
import type { ListedItem } from "./port.ts"
import { mergePrices } from "./prices.ts"
import { Listing } from "./store.ts"

const itemNames = ["key", "name", "icon_url", "item_type"] as const
const clientItemNames = [...itemNames, "description", "metadata"] as const

/** A listing with its item, as developers see it (spec: store, listing). */
export const ListingView = Schema.Struct({
  ...Listing.fields,
  catalog_items: Schema.Struct(Struct.pick(CatalogItem.fields, itemNames)),
}).annotate({ identifier: "ListingView" })
export type ListingView = typeof ListingView.Type

/** A listing with its item. */
export const showListing = ({ listing, item }: ListedItem): ListingView => ({
  ...listing,
  catalog_items: Struct.pick(item, itemNames),
})

/** An item on sale, as users see it [G6.4]. */
export const OfferView = Schema.Struct({
  ...Struct.omit(Listing.fields, ["override_prices", "created_at"]),
  catalog_items: Schema.Struct(Struct.pick(CatalogItem.fields, clientItemNames)),
  /** What it costs here, by the code of the currency. */
  prices: Prices,
  /** How often the caller may still buy it; null is without limit. */
  purchases_left: Schema.NullOr(Count),
}).annotate({ identifier: "Offer" })
export type OfferView = typeof OfferView.Type

/** An item on sale for a user who has bought it so often. Prices in currencies that are not there are left out [G6.3]. */
export const showOffer = (
  { listing, item }: ListedItem,
  currencies: ReadonlySet<string>,
  bought: number,
): OfferView => {
  const { max_purchases_per_user } = listing
  const prices = Object.entries(mergePrices(item.prices, listing.override_prices))
  return {
    ...listing,
    catalog_items: Struct.pick(item, clientItemNames),
    prices: Object.fromEntries(prices.filter(([code]) => currencies.has(code))),
    purchases_left: max_purchases_per_user === null ? null : Math.max(0, max_purchases_per_user - bought),
  }
}
