import { Effect, Option, Schema, Struct } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { JsonObject, partial, text, withDefault } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { Entitlement } from "./entitlement.ts"
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

/** The defaults of a first grant. */
const emptyGrant = {
  product_id: null,
  store: null,
  period_type: null,
  purchase_date: null,
  expiration_date: null,
  raw_data: {},
} satisfies Partial<Entitlement>

const readColumns = ({ raw_data, ...grant }: EntitlementGrant): Partial<Entitlement> =>
  raw_data === undefined ? grant : { ...grant, raw_data: raw_data ?? {} }

/** Entitlements that developers grant (spec: entitlement grant or refresh). */
export const makeEntitlements = ({
  clock,
  ids,
  tenants,
}: Pick<Ports<EntitlementsDb & UsersDb>, "clock" | "ids" | "tenants">) => ({
  /** Grants an entitlement to a user, or refreshes the one with the same `entitlement_id`. Concurrent first grants create one. */
  grant: Effect.fn("entitlements.grant")(function* (projectId: string, userId: string, input: EntitlementGrant) {
    const { entitlement_id } = input
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        // Locks the user, because a first grant has no entitlement yet that could be locked.
        const { id: app_user_id } = yield* orFail(db.users.lock(userId), NotFound)
        const changes = { ...readColumns(input), updated_at: clock.now() }
        const present = yield* db.entitlements.find({ app_user_id, entitlement_id })
        if (Option.isSome(present)) {
          const refreshed = yield* Effect.orDie(db.entitlements.update(present.value.id, changes))
          return { created: false, row: Option.getOrThrow(refreshed) }
        }
        const row: Entitlement = {
          ...{ ...emptyGrant, id: ids.uuid(), app_user_id, entitlement_id, is_active: input.is_active },
          ...changes,
        }
        yield* Effect.orDie(db.entitlements.insert(row))
        return { created: true, row }
      }),
    )
  }),
})
