import { Effect, Option } from "effect"
import type { CurrenciesDb } from "../currencies/port.ts"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Page, Slice } from "../ports/table.ts"
import type { SegmentsDb } from "../segments/port.ts"
import type { StoresDb } from "./port.ts"
import type { Store } from "./store.ts"
import { type OfferView, showOffer } from "./views.ts"

/** Whether a store's segment is null or has the user as a member, as it was last evaluated. One that is gone has none [G0.7]. */
export const isEligible = (db: SegmentsDb, { segment_id }: Pick<Store, "segment_id">, userId: string) =>
  segment_id === null ? Effect.succeed(true) : Effect.map(db.segments.membership(segment_id, userId), Option.isSome)

/** Stores as users see them [G6.4]. */
export const makeStorefront = ({
  clock,
  tenants,
}: Pick<Ports<CurrenciesDb & SegmentsDb & StoresDb>, "clock" | "tenants">) => ({
  /** The stores that are open to a user, the oldest first [G6.4]. */
  openStores: (projectId: string, userId: string, slice: Slice) =>
    tenants.read(projectId, (db) => db.stores.pageOpenTo(userId, slice)),

  /** What a store that is open to the user sells now, by `sort_order` [G6.4]. `NOT_FOUND` for a store that is not open to the user. */
  offers: Effect.fn("stores.offers")((projectId: string, userId: string, storeId: string, slice: Slice) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        const store = yield* orFail(db.stores.find({ id: storeId, is_active: true }), NotFound)
        if (!(yield* isEligible(db, store, userId))) return yield* new NotFound()
        const { rows, ...page } = yield* db.listings.pageOnSale(storeId, clock.now(), slice)
        const bought = yield* db.purchases.countByListing(
          userId,
          rows.map(({ listing }) => listing.id),
        )
        const codes = new Set((yield* db.currencies.list({}, [])).map(({ code }) => code))
        const offers = rows.map((row) => showOffer(row, codes, bought.get(row.listing.id) ?? 0))
        return { rows: offers, ...page } satisfies Page<OfferView>
      }),
    ),
  ),
})
