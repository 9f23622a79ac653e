import { InvalidAmount, NotFound, Text } from "@hearth/core"
import { InvalidReward, RewardInput } from "@hearth/core/rewards"
import { CatalogItem, CatalogItemChanges, ItemInUse, ItemKeyExists, NewCatalogItem, Prices } from "@hearth/core/stores"
import { Schema } from "effect"
import { paging } from "../http/request/query.ts"
import { created, deleted, ok, pageOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

// Prices and contents in the reference. The use cases check them, with codes of their own.
const contents = Schema.NullOr(RewardInput)
const newItemShape = Schema.Struct({
  ...NewCatalogItem.fields,
  prices: Schema.optionalKey(Prices),
  contents: Schema.optionalKey(contents),
}).annotate({ identifier: "NewCatalogItem" })
const itemChangesShape = Schema.Struct({
  ...CatalogItemChanges.fields,
  prices: Schema.optionalKey(Prices),
  contents: Schema.optionalKey(contents),
}).annotate({ identifier: "CatalogItemChanges" })

/** Decisions D: what users can own [G6.1]. */
export const catalogRoutes = [
  route("POST", "/admin/projects/:projectId/catalog/items", {
    id: "catalog.items.create",
    summary: "Makes an item that users can own",
    description: "`prices` are by currency code. `contents` is a reward that the buyer gets beside the item.",
    access: "developer",
    body: NewCatalogItem,
    bodyShape: newItemShape,
    errors: [InvalidAmount, InvalidReward, ItemKeyExists],
    returns: created(CatalogItem),
    run: ({ core, params, body }) => core.catalog.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/catalog/items", {
    id: "catalog.items.list",
    summary: "Lists the items, the oldest first",
    description: "Narrow the list with `item_type`. Inactive items are in it too.",
    access: "developer",
    query: { ...paging(), item_type: Schema.optionalKey(Text) },
    returns: pageOf(CatalogItem),
    run: ({ core, params, query }) => core.catalog.list(params.projectId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/catalog/items/:itemId", {
    id: "catalog.items.update",
    summary: "Changes an item",
    description: "Only the keys that are sent change. Purchases that were made stay as they are.",
    access: "developer",
    body: CatalogItemChanges,
    bodyShape: itemChangesShape,
    errors: [InvalidAmount, InvalidReward, NotFound, ItemKeyExists],
    returns: ok(CatalogItem),
    run: ({ core, params, body }) => core.catalog.update(params.projectId, params.itemId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/catalog/items/:itemId", {
    id: "catalog.items.delete",
    summary: "Removes an item that nobody owns, with its listings",
    description: "An item that somebody owns is 409 `ITEM_IN_USE`: make it inactive.",
    access: "developer",
    errors: [NotFound, ItemInUse],
    returns: deleted,
    run: ({ core, params }) => core.catalog.remove(params.projectId, params.itemId),
  }),
]
