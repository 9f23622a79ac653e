import { Effect, Option } from "effect"
import { InvalidInput, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Page, Slice } from "../ports/table.ts"
import type { SegmentsDb } from "../segments/port.ts"
import type { StoresDb } from "./port.ts"
import { readPrices } from "./prices.ts"
import {
  AlreadyListed,
  type Listing,
  type ListingChanges,
  type NewListing,
  type NewStore,
  type Store,
  type StoreChanges,
} from "./store.ts"
import { type ListingView, showListing } from "./views.ts"

const invalid = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

const checkSegment = Effect.fnUntraced(function* (db: SegmentsDb, segment_id: string | null) {
  if (segment_id === null) return
  if (Option.isNone(yield* db.segments.find({ id: segment_id, campaign_id: null })))
    return yield* invalid("segment_id", "must be a segment of this project")
})

/** The prices of a listing; null where it has those of the item. */
const readOverrides = (prices: NewListing["override_prices"]) =>
  prices === null ? Effect.succeed(null) : readPrices(prices, "override_prices")

const checkTimes = ({ available_from, available_until }: Pick<Listing, "available_from" | "available_until">) =>
  available_from !== null && available_until !== null && available_until <= available_from
    ? Effect.fail(invalid("available_until", "must be after available_from"))
    : Effect.void

/** The stores of a project and what they sell, as developers set them up (spec: admin plane, stores). */
export const makeStores = ({
  clock,
  ids,
  tenants,
}: Pick<Ports<SegmentsDb & StoresDb>, "clock" | "ids" | "tenants">) => ({
  /** Makes a store, which is active [G6.2]. `INVALID_INPUT` for a segment that is not there. */
  create: Effect.fn("stores.create")(function* (projectId: string, input: NewStore) {
    const store: Store = { ...input, id: ids.uuid(), is_active: true, created_at: clock.now() }
    yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* checkSegment(db, store.segment_id)
        yield* Effect.orDie(db.stores.insert(store))
      }),
    )
    return store
  }),

  /** All stores, also inactive ones, the oldest first [G6.2]. */
  list: (projectId: string, slice: Slice) =>
    tenants.read(projectId, (db) => db.stores.page({}, [["created_at", "asc"]], slice)),

  /** Changes the fields of a store that are given [G6.2]. `NOT_FOUND`; `INVALID_INPUT` for a segment that is not there. */
  update: Effect.fn("stores.update")((projectId: string, id: string, changes: StoreChanges) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.stores.lock(id), NotFound)
        yield* checkSegment(db, changes.segment_id ?? null)
        return yield* orFail(Effect.orDie(db.stores.update(id, changes)), NotFound)
      }),
    ),
  ),

  /** Removes a store with its listings. Purchases stay. Nothing happens where there is none [G6.2]. */
  remove: (projectId: string, id: string) => tenants.transact(projectId, (db) => db.stores.remove({ id })),

  /**
   * Lists an item in a store, with prices of its own where given [G6.2]. `NOT_FOUND`; `INVALID_AMOUNT`; `ALREADY_LISTED`; `INVALID_INPUT`
   * for an item that is not there, or times in the wrong order.
   */
  addListing: Effect.fn("stores.addListing")(function* (projectId: string, store_id: string, input: NewListing) {
    const override_prices = yield* readOverrides(input.override_prices)
    yield* checkTimes(input)
    const listing: Listing = { ...input, id: ids.uuid(), store_id, override_prices, created_at: clock.now() }
    yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.stores.lock(store_id, "key share"), NotFound)
        const item = yield* db.catalogItems.lock(listing.catalog_item_id, "key share")
        if (Option.isNone(item)) return yield* invalid("catalog_item_id", "must be an item of the catalog")
        yield* Effect.mapError(db.listings.insert(listing), () => new AlreadyListed())
      }),
    )
    return listing
  }),

  /** What a store sells, by `sort_order` [G6.2]. `NOT_FOUND` without the store. */
  listings: Effect.fn("stores.listings")((projectId: string, storeId: string, slice: Slice) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.stores.find({ id: storeId }), NotFound)
        const { rows, ...page } = yield* db.listings.pageOfStore(storeId, slice)
        return { rows: rows.map(showListing), ...page } satisfies Page<ListingView>
      }),
    ),
  ),

  /**
   * Changes the fields of a listing that are given [G6.2]. `NOT_FOUND`, also for a listing of another store; `INVALID_AMOUNT`;
   * `INVALID_INPUT` for times in the wrong order.
   */
  updateListing: Effect.fn("stores.updateListing")(function* (
    projectId: string,
    store_id: string,
    id: string,
    { override_prices, ...others }: ListingChanges,
  ) {
    const prices = override_prices === undefined ? {} : { override_prices: yield* readOverrides(override_prices) }
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const listing = yield* orFail(db.listings.lock(id), NotFound)
        if (listing.store_id !== store_id) return yield* new NotFound()
        yield* checkTimes({ ...listing, ...others })
        return yield* orFail(Effect.orDie(db.listings.update(id, { ...others, ...prices })), NotFound)
      }),
    )
  }),

  /** Removes a listing of the store. Nothing happens where there is none [G6.2]. */
  removeListing: (projectId: string, store_id: string, id: string) =>
    tenants.transact(projectId, (db) => db.listings.remove({ id, store_id })),
})
