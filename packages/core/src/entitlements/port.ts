import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { Entitlement, EntitlementSummary } from "./entitlement.ts"
import type { EntitlementSource } from "./sources.ts"

/** Entitlements. Unique: (`app_user_id`, `entitlement_id`). Removed with their user. */
export interface Entitlements extends Table<Entitlement> {
  /** The entitlements by user, each list in the order of `entitlement_id`. Users without any are left out. */
  ofUsers(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, ReadonlyArray<EntitlementSummary>>>
}

/** What a project's database has for entitlements. */
export interface EntitlementsDb {
  readonly entitlements: Entitlements
  /** What each source says. Unique: (`app_user_id`, `entitlement_id`, `source`). Removed with their user. */
  readonly entitlementSources: Table<EntitlementSource>
}
