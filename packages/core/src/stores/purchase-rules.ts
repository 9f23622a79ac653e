import { Option, Result } from "effect"
import type { CatalogItem } from "./catalog-item.ts"
import { CurrencyNotAccepted, NotAvailable, NotEligible } from "./failures.ts"
import { mergePrices } from "./prices.ts"
import { isOnSale, type Listing, type Store } from "./store.ts"

/** What a user asks for, and what is known of it. */
export interface Order {
  readonly store: Pick<Store, "is_active" | "segment_id">
  /** Whether the user is in the store's segment, as it was last evaluated. */
  readonly isMember: boolean
  readonly listing: Pick<Listing, "available_from" | "available_until" | "override_prices">
  readonly item: Pick<CatalogItem, "is_active" | "prices">
  readonly currencyCode: string
  /** Whether there is a currency of this code. */
  readonly isCurrency: boolean
  readonly now: Date
}

type Refusal = NotEligible | NotAvailable | CurrencyNotAccepted

/** What it costs, or the first reason for which it is not sold. The limit and the balance are looked at under the purse [G6.5]. */
export const findPrice = (order: Order): Result.Result<number, Refusal> => {
  const { store, isMember, listing, item, currencyCode, isCurrency, now } = order
  if (store.segment_id !== null && !isMember) return Result.fail(new NotEligible())
  if (!store.is_active || !item.is_active || !isOnSale(listing, now)) return Result.fail(new NotAvailable())
  const prices = mergePrices(item.prices, listing.override_prices)
  const price = Object.hasOwn(prices, currencyCode) ? Option.fromUndefinedOr(prices[currencyCode]) : Option.none()
  return isCurrency && Option.isSome(price) ? Result.succeed(price.value) : Result.fail(new CurrencyNotAccepted())
}
