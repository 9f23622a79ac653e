import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { Entitlement, EntitlementSummary } from "./entitlement.ts"
import type { EntitlementSource } from "./sources.ts"

/** Which entitlement of which user. */
export type EntitlementKey = Pick<Entitlement, "app_user_id" | "entitlement_id">

/** What is done to rows of several users at once. Callers hold the purses of the users [G0.5]. */
interface ManyRows<Row> {
  /** Those of these keys. */
  listMany(keys: ReadonlyArray<EntitlementKey>): Effect.Effect<ReadonlyArray<Row>>
  /** Writes rows: new ones, and over those of the same id. A user who is not there is a defect. */
  save(rows: ReadonlyArray<Row>): Effect.Effect<void>
  /** Removes those of these ids. */
  removeMany(ids: ReadonlyArray<string>): Effect.Effect<void>
}

/** Entitlements. Unique: (`app_user_id`, `entitlement_id`). Removed with their user. */
export interface Entitlements extends Table<Entitlement>, ManyRows<Entitlement> {
  /** The entitlements by user, each list in the order of `entitlement_id`. Users without any are left out. */
  ofUsers(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, ReadonlyArray<EntitlementSummary>>>
}

/** What each source says. Unique: (`app_user_id`, `entitlement_id`, `source`). Removed with their user. */
export interface EntitlementSources extends Table<EntitlementSource>, ManyRows<EntitlementSource> {
  /** The active ones of the provider that ended at this instant or before, those that ended first first. Locks nothing. */
  ended(at: Date, limit: number): Effect.Effect<ReadonlyArray<EntitlementKey>>
  /** Which entitlements of these users the provider says something of. */
  listProvided(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<EntitlementKey>>
  /** When the next active one of the provider ends; null where none does. */
  nextEnd(): Effect.Effect<Date | null>
}

/** What a project's database has for entitlements. */
export interface EntitlementsDb {
  readonly entitlements: Entitlements
  readonly entitlementSources: EntitlementSources
}
