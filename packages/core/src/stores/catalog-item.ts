import { Result, Schema } from "effect"
import { columnKind } from "../columns.ts"
import { failure } from "../failure.ts"
import { readByUseCase, readIssues } from "../own-issues.ts"
import { parseReward, tellOfReward } from "../rewards/reward.ts"
import { Json, JsonObject, Name, Prose, partial, Timestamp, text, Uuid, withDefaults } from "../schema.ts"
import { isPrices } from "./prices.ts"

/** The key is taken in this project. */
export class ItemKeyExists extends failure(
  "ItemKeyExists",
  "conflict",
  "KEY_EXISTS",
  "There is an item of this key.",
) {}

/** Users own the item, so it stays [G6.1]. */
export class ItemInUse extends failure("ItemInUse", "conflict", "ITEM_IN_USE", "There are users who own this item.") {}

/** Amounts by the code of the currency. */
export const Prices = Schema.Record(Schema.String, Schema.Finite).annotate(columnKind("json"))
export type Prices = typeof Prices.Type

/** Prices as they are sent. Whether each value is an amount is looked at later, because that has a code of its own. */
export const PricesInput = Schema.Record(Schema.String, Json).check(
  Schema.makeFilter(
    (value) => isPrices(value) || "must be amounts by the codes of at most 100 currencies, which are of A-Z, 0-9 and _",
  ),
)

const fields = {
  key: text(1, 255),
  name: Name,
  description: Schema.NullOr(Prose),
  icon_url: Schema.NullOr(text(1, 2048)),
  /** The project's own word for a kind of items. */
  item_type: Schema.NullOr(text(1, 255)),
  metadata: JsonObject,
  is_active: Schema.Boolean,
}

/** Something that users can own (spec: catalog). Unique: `key`. */
export const CatalogItem = Schema.Struct({
  id: Uuid,
  ...fields,
  prices: Prices,
  /** A reward, as it was sent: what buying the item gives beside it [G6.1]. */
  contents: Schema.NullOr(JsonObject),
  created_at: Timestamp,
}).annotate({ identifier: "CatalogItem" })
export type CatalogItem = typeof CatalogItem.Type

const findContentsIssues = (value: unknown) =>
  value === null ? [] : readIssues(Result.mapError(parseReward(value), tellOfReward("contents")))

// `contents` is any value here, because a reward has a code of its own.
const given = { ...fields, prices: PricesInput, contents: readByUseCase(findContentsIssues) }

/** The fields with which an item is made. */
export const NewCatalogItem = Schema.Struct(
  withDefaults(given, {
    ...{ description: null, icon_url: null, item_type: null, metadata: {}, is_active: true },
    ...{ prices: {}, contents: null },
  }),
)
export type NewCatalogItem = typeof NewCatalogItem.Type

/** The fields of an item that can be changed. Those left out stay. */
export const CatalogItemChanges = Schema.Struct(partial(given))
export type CatalogItemChanges = typeof CatalogItemChanges.Type
