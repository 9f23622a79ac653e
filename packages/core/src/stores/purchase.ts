import { Schema, Struct } from "effect"
import { IdempotencyKey } from "../idempotency/answer-once.ts"
import { GivenReward } from "../rewards/reward.ts"
import { Count, JsonObject, Money, Text, Timestamp, Uuid, withDefault } from "../schema.ts"
import { CatalogItem } from "./catalog-item.ts"
import { mostOwned } from "./inventory-item.ts"

/** A purchase. It stays when the listing, the store or the item is removed. */
export const Purchase = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  store_id: Uuid,
  listing_id: Uuid,
  catalog_item_id: Uuid,
  /** The key of the item, as it was then. */
  key: CatalogItem.fields.key,
  currency_code: Schema.String,
  price: Money,
  /** What the item's contents gave; null where it had none. */
  reward: Schema.NullOr(JsonObject),
  created_at: Timestamp,
  /** When it was taken back. It does not count for the limit then [G4.7]. */
  reversed_at: Schema.NullOr(Timestamp),
})
export type Purchase = typeof Purchase.Type

/** A purchase as developers see it. */
export const PurchaseView = Schema.Struct(Struct.omit(Purchase.fields, ["app_user_id"])).annotate({
  identifier: "Purchase",
})

/** With what a user pays. */
export const PurchaseRequest = Schema.Struct({
  currency_code: Text,
  idempotency_key: Schema.optionalKey(IdempotencyKey),
}).annotate({ identifier: "PurchaseRequest" })
export type PurchaseRequest = typeof PurchaseRequest.Type

/** What the buyer is told of a purchase. */
export const boughtNames = [
  ...(["id", "listing_id", "catalog_item_id"] as const),
  ...(["currency_code", "price", "created_at"] as const),
] as const

/** What was bought, what is left of the currency that was paid, and what the contents gave [G6.5]. */
export const Bought = Schema.Struct({
  purchase: Schema.Struct(Struct.pick(Purchase.fields, boughtNames)),
  balance: Money,
  reward: Schema.NullOr(GivenReward),
}).annotate({ identifier: "Bought" })
export type Bought = typeof Bought.Type

/** How many of an item a user uses up: 1 where left out. */
export const ConsumeRequest = Schema.Struct({
  quantity: withDefault(Count.check(Schema.isBetween({ minimum: 1, maximum: mostOwned })), 1),
  idempotency_key: Schema.optionalKey(IdempotencyKey),
}).annotate({ identifier: "ConsumeRequest" })
export type ConsumeRequest = typeof ConsumeRequest.Type
