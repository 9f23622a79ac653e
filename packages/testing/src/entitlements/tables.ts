import type { TenantDb } from "@hearth/core"
import type { Entitlement, EntitlementSource } from "@hearth/core/entitlements"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anEntitlement } from "./builders.ts"

const samples: TableCase<TenantDb, Entitlement>["samples"] = [
  {
    is_active: false,
    store: awkwardText,
    product_id: awkwardText,
    purchase_date: earlyInstant,
    expiration_date: lateInstant,
    period_type: awkwardText,
    raw_data: awkwardJson,
    updated_at: awkwardInstant,
  },
  { entitlement_id: awkwardText, store: null, product_id: null, purchase_date: null, expiration_date: null },
  { period_type: null, raw_data: {}, is_active: true },
]

/** The table of entitlements. */
export const entitlements: TableCase<TenantDb, Entitlement> = {
  name: "entitlements",
  table: (db) => db.entitlements,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anEntitlement({ ...given, app_user_id: given.app_user_id ?? (yield* writeUser(db)) })
  }),
  samples,
  unique: [["app_user_id", "entitlement_id"]],
  sorting: { column: "updated_at", ascending: instantsInOrder },
  nullable: { column: "store", ascending: textsInOrder },
}

/** The table of what sources say about entitlements. */
export const entitlementSources: TableCase<TenantDb, EntitlementSource> = {
  name: "entitlement sources",
  table: (db) => db.entitlementSources,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    return { ...anEntitlement({ ...given, app_user_id }), source: given.source ?? "reward" }
  }),
  samples: [{ ...samples[0], source: "admin" }, ...samples.slice(1), { source: "provider" }],
  unique: [["app_user_id", "source", "entitlement_id"]],
  sorting: { column: "updated_at", ascending: instantsInOrder },
  nullable: { column: "store", ascending: textsInOrder },
}
