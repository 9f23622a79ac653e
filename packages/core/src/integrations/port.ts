import type { Effect, Option } from "effect"
import type { Table } from "../ports/table.ts"
import type { IntegrationProvider, IntegrationRow } from "./integration.ts"

/** How much is sealed with a key. */
export interface KeyUse {
  readonly fingerprint: string
  readonly integrations: number
  readonly projects: number
}

/** The integrations of all projects. Unique: (`project_id`, `provider`). Removed with their project. */
export interface Integrations extends Table<IntegrationRow> {
  /** The active integration of a ready project. */
  findActive(projectId: string, provider: IntegrationProvider): Effect.Effect<Option.Option<IntegrationRow>>
  /** How much is sealed with each key, by fingerprint. */
  countKeys(): Effect.Effect<ReadonlyArray<KeyUse>>
  /**
   * Up to `limit` integrations that are sealed with one of these keys, by id from after `after` (null: the first) on, locked;
   * those that others have locked are left out.
   */
  lockSealedWith(
    fingerprints: ReadonlyArray<string>,
    after: string | null,
    limit: number,
  ): Effect.Effect<ReadonlyArray<IntegrationRow>>
  /** Replaces the sealed texts of these rows, and nothing else of them. */
  reseal(rows: ReadonlyArray<Pick<IntegrationRow, "id" | "sealed" | "sealed_with">>): Effect.Effect<void>
}

/** What the control database has of integrations. */
export interface IntegrationsControlDb {
  readonly integrations: Integrations
}
