import { Effect, Schema, Struct } from "effect"
import { lockPurses } from "../currencies/change-wallets.ts"
import type { CurrenciesDb } from "../currencies/port.ts"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { JsonObject, partial, text, withDefault } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { Entitlement, showEntitlement } from "./entitlement.ts"
import { makeGrants } from "./grants.ts"
import type { EntitlementsDb } from "./port.ts"

const ShortText = Schema.NullOr(text(0, 255))

/** A grant or refresh of an entitlement. Of each nullable column: left out keeps it, null clears it, a value sets it. */
export const EntitlementGrant = Schema.Struct({
  entitlement_id: text(1, 255),
  /** Always written. */
  is_active: withDefault(Schema.Boolean, true),
  ...partial({
    product_id: ShortText,
    store: ShortText,
    period_type: ShortText,
    ...Struct.pick(Entitlement.fields, ["purchase_date", "expiration_date"]),
    /** Null is an empty object. */
    raw_data: Schema.NullOr(JsonObject),
  }),
}).annotate({ identifier: "EntitlementGrant" })
export type EntitlementGrant = typeof EntitlementGrant.Type

const readChanges = ({ entitlement_id: _, raw_data, ...changes }: EntitlementGrant) =>
  raw_data === undefined ? changes : { ...changes, raw_data: raw_data ?? {} }

/** Entitlements that developers grant (spec: entitlement grant or refresh). */
export const makeEntitlements = ({
  clock,
  ids,
  tenants,
}: Pick<Ports<CurrenciesDb & EntitlementsDb & UsersDb>, "clock" | "ids" | "tenants">) => {
  const grants = makeGrants(ids)
  return {
    /**
     * Grants an entitlement to a user, or refreshes the one with the same `entitlement_id`. Concurrent first grants create one. The
     * row is answered as readers see it: inactive where it has ended. `NOT_FOUND` without the user [E7].
     */
    grant: Effect.fn("entitlements.grant")(function* (projectId: string, userId: string, input: EntitlementGrant) {
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          // The user for servers of the release before, which know of no purses: a first grant has no row yet to be locked.
          const { id: app_user_id } = yield* orFail(db.users.lock(userId), NotFound)
          yield* lockPurses(db, [app_user_id])
          const now = clock.now()
          const changes = readChanges(input)
          const { created, row } = yield* grants.changeAdmin(db, app_user_id, input.entitlement_id, changes, now)
          return { created, row: showEntitlement(row, now) }
        }),
      )
    }),
  }
}
