import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { Entitlement, EntitlementSummary } from "./entitlement.ts"

/** Entitlements. Unique: (`app_user_id`, `entitlement_id`). Gone with their user. */
export interface Entitlements extends Table<Entitlement> {
  /** The entitlements of users, by user; of each in the order of `entitlement_id`. Users without any are left out. */
  ofUsers(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, ReadonlyArray<EntitlementSummary>>>
}

/** What a project has of entitlements. */
export interface EntitlementsDb {
  readonly entitlements: Entitlements
}
