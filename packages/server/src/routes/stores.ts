import { InvalidAmount, InvalidInput, InvalidToken, NotFound } from "@hearth/core"
import { InsufficientBalance } from "@hearth/core/currencies"
import { IdempotencyKeyReused } from "@hearth/core/idempotency"
import {
  AlreadyListed,
  Bought,
  ConsumeRequest,
  CurrencyNotAccepted,
  InsufficientQuantity,
  InventoryItem,
  Listing,
  ListingChanges,
  ListingView,
  NewListing,
  NewStore,
  NotAvailable,
  NotEligible,
  OfferView,
  Prices,
  PurchaseLimitReached,
  PurchaseRequest,
  PurchaseView,
  Store,
  StoreChanges,
} from "@hearth/core/stores"
import { UserNotFound } from "@hearth/core/users"
import { Schema } from "effect"
import { paging } from "../http/request/query.ts"
import { created, deleted, ok, pageOf } from "../http/response/answers.ts"
import { addHeaderKey, idempotencyKey } from "./idempotency-key.ts"
import { route } from "./route.ts"

// Prices in the reference. The use cases check them, with a code of their own.
const overrides = Schema.optionalKey(Schema.NullOr(Prices))
const newListingShape = Schema.Struct({ ...NewListing.fields, override_prices: overrides }).annotate({
  identifier: "NewListing",
})
const listingChangesShape = Schema.Struct({ ...ListingChanges.fields, override_prices: overrides }).annotate({
  identifier: "ListingChanges",
})

/** Spec: admin plane, stores. */
const adminStores = [
  route("POST", "/admin/projects/:projectId/stores", {
    id: "stores.create",
    summary: "Makes a store, which is active",
    description: "With `segment_id` only members of that segment see it.",
    access: "developer",
    body: NewStore,
    errors: [InvalidInput],
    returns: created(Store),
    run: ({ core, params, body }) => core.stores.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/stores", {
    id: "stores.list",
    summary: "Lists the stores, the oldest first",
    description: "Inactive stores are in the list too; users do not see them.",
    access: "developer",
    query: paging(),
    returns: pageOf(Store),
    run: ({ core, params, query }) => core.stores.list(params.projectId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/stores/:storeId", {
    id: "stores.update",
    summary: "Changes a store",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: StoreChanges,
    errors: [InvalidInput, NotFound],
    returns: ok(Store),
    run: ({ core, params, body }) => core.stores.update(params.projectId, params.storeId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/stores/:storeId", {
    id: "stores.delete",
    summary: "Removes a store with its listings; purchases stay",
    description: "Purchases and inventories stay.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.stores.remove(params.projectId, params.storeId),
  }),
  route("POST", "/admin/projects/:projectId/stores/:storeId/listings", {
    id: "stores.listings.create",
    summary: "Lists an item in a store",
    description:
      "An item is listed once in a store. `override_prices` stand before the item's own, and a window says when it is on sale.",
    access: "developer",
    body: NewListing,
    bodyShape: newListingShape,
    errors: [InvalidInput, InvalidAmount, NotFound, AlreadyListed],
    returns: created(Listing),
    fault: "ADD_LISTING_FAILED",
    run: ({ core, params, body }) => core.stores.addListing(params.projectId, params.storeId, body),
  }),
  route("GET", "/admin/projects/:projectId/stores/:storeId/listings", {
    id: "stores.listings.list",
    summary: "Lists what a store sells, by `sort_order`",
    description: "What is not on sale at this moment is in the list too.",
    access: "developer",
    query: paging(),
    errors: [NotFound],
    returns: pageOf(ListingView),
    run: ({ core, params, query }) => core.stores.listings(params.projectId, params.storeId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/stores/:storeId/listings/:listingId", {
    id: "stores.listings.update",
    summary: "Changes a listing of the store",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: ListingChanges,
    bodyShape: listingChangesShape,
    errors: [InvalidInput, InvalidAmount, NotFound],
    returns: ok(Listing),
    run: ({ core, params, body }) =>
      core.stores.updateListing(params.projectId, params.storeId, params.listingId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/stores/:storeId/listings/:listingId", {
    id: "stores.listings.delete",
    summary: "Removes a listing of the store",
    description: "The item stays in the catalog, and purchases stay with their buyers.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.stores.removeListing(params.projectId, params.storeId, params.listingId),
  }),
]

/** Decisions D: what users see, buy and own [G6.4, G6.5, G6.6]. */
const clientStores = [
  route("GET", "/client/stores", {
    id: "client.stores.list",
    summary: "Lists the stores that are open to the caller",
    description: "A store is open where it is active and has no segment, or where the caller is in its segment.",
    access: "client",
    query: paging(),
    returns: pageOf(Store),
    run: ({ core, caller, query }) => core.stores.openStores(caller.project_id, caller.user_id, query),
  }),
  route("GET", "/client/stores/:storeId/listings", {
    id: "client.stores.listings.list",
    summary: "Lists what an open store sells now, with prices and how often the caller may still buy it",
    description: "`prices` are those that count now; `purchases_left` is null where there is no limit.",
    access: "client",
    query: paging(),
    errors: [NotFound],
    returns: pageOf(OfferView),
    run: ({ core, caller, params, query }) =>
      core.stores.offers(caller.project_id, caller.user_id, params.storeId, query),
  }),
  route("POST", "/client/stores/:storeId/listings/:listingId/purchase", {
    id: "client.stores.listings.purchase",
    summary: "Buys an item, with what is in it",
    description:
      "Limit, price and balance are checked and taken in one transaction. Send an `idempotency_key`, or the header `Idempotency-Key`: then a repeated call buys once.",
    access: "client",
    headers: idempotencyKey,
    body: PurchaseRequest,
    errors: [
      InvalidToken,
      NotFound,
      NotEligible,
      NotAvailable,
      CurrencyNotAccepted,
      PurchaseLimitReached,
      InsufficientBalance,
      IdempotencyKeyReused,
    ],
    returns: created(Bought),
    run: ({ core, caller, params, headers, body }) => {
      const request = addHeaderKey(body, headers)
      return core.purchases.buy(caller.project_id, caller.user_id, params.storeId, params.listingId, request)
    },
  }),
  route("GET", "/client/inventory", {
    id: "client.inventory.list",
    summary: "Lists what the caller owns, the last acquired first",
    description: "What is used up is not listed.",
    access: "client",
    query: paging(),
    returns: pageOf(InventoryItem),
    run: ({ core, caller, query }) => core.inventory.own(caller.project_id, caller.user_id, query),
  }),
  route("POST", "/client/inventory/:catalogItemId/consume", {
    id: "client.inventory.consume",
    summary: "Uses items up, and answers what is left of them",
    description:
      "`quantity` is 1 where left out. Send an `idempotency_key`, or the header `Idempotency-Key`: then a repeated call takes once.",
    access: "client",
    headers: idempotencyKey,
    body: ConsumeRequest,
    optionalBody: true,
    errors: [InvalidToken, NotFound, InsufficientQuantity, IdempotencyKeyReused],
    returns: ok(InventoryItem),
    run: ({ core, caller, params, headers, body }) =>
      core.inventory.consume(caller.project_id, caller.user_id, params.catalogItemId, addHeaderKey(body, headers)),
  }),
]

/** What developers see of users [G6.6]. */
const ofUsers = [
  route("GET", "/admin/projects/:projectId/users/:userId/inventory", {
    id: "users.inventory.list",
    summary: "Lists what a user owns, the last acquired first",
    description: "It is the same list that the user sees as `client.inventory.list`.",
    access: "developer",
    query: paging(),
    errors: [UserNotFound],
    returns: pageOf(InventoryItem),
    run: ({ core, params, query }) => core.inventory.ofUser(params.projectId, params.userId, query),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/purchases", {
    id: "users.purchases.list",
    summary: "Lists what a user has bought, the newest first",
    description: "Each with the price that was paid, and `reversed_at` where it was undone.",
    access: "developer",
    query: paging(),
    errors: [UserNotFound],
    returns: pageOf(PurchaseView),
    run: ({ core, params, query }) => core.purchases.ofUser(params.projectId, params.userId, query),
  }),
]

/** Stores, and what users buy and own. */
export const storeRoutes = [...clientStores, ...adminStores, ...ofUsers]
