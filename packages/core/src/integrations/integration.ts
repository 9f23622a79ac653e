import { Schema } from "effect"
import { Count, JsonObject, partial, Timestamp, Uuid } from "../schema.ts"

/** Whom a project is connected with [C5]: `push_a` is APNs, `push_b` FCM. */
export const IntegrationProvider = Schema.Literals(["subscription", "paywall", "push_a", "push_b"])
export type IntegrationProvider = typeof IntegrationProvider.Type

/** An integration as its project sees it: without secrets [H1.1]. */
export const Integration = Schema.Struct({
  provider: IntegrationProvider,
  is_active: Schema.Boolean,
  /** Whether there is a secret that can be read. */
  has_secret: Schema.Boolean,
  /** What is not secret of its settings. */
  config: JsonObject,
  updated_at: Timestamp,
}).annotate({ identifier: "Integration" })
export type Integration = typeof Integration.Type

/**
 * What can be set of an integration. `config` has the keys of its provider: those left out keep their value, null clears one
 * [H1.1].
 */
export const IntegrationChanges = Schema.Struct(partial({ is_active: Schema.Boolean, config: JsonObject })).annotate({
  identifier: "IntegrationChanges",
})
export type IntegrationChanges = typeof IntegrationChanges.Type

/** An integration as stored. Unique: (`project_id`, `provider`). */
export const IntegrationRow = Schema.Struct({
  id: Uuid,
  project_id: Uuid,
  provider: IntegrationProvider,
  is_active: Schema.Boolean,
  config: JsonObject,
  /** Its secrets as sealed JSON; null where there are none. */
  sealed: Schema.NullOr(Schema.String),
  /** The fingerprint of the key that they are sealed with. */
  sealed_with: Schema.NullOr(Schema.String),
  /** Goes up with every change; a restore sets it back. */
  version: Count,
  updated_at: Timestamp,
})
export type IntegrationRow = typeof IntegrationRow.Type
