import { Schema } from "effect"
import { EntitlementSummary } from "../entitlements/entitlement.ts"
import { JsonObject, partial, Text, Timestamp, text, Uuid } from "../schema.ts"

/** An identity that signs a user in: the provider and its name for the user. */
export const AuthProvider = Schema.Struct({ provider: Schema.String, provider_id: Schema.String }).annotate({
  identifier: "AuthProvider",
})

/** The names that a user may take. */
export const DisplayName = text(1, 64)

/** An end user as the app sees it (spec: end user, client view). */
export const EndUser = Schema.Struct({
  id: Uuid,
  email: Schema.NullOr(Schema.String),
  display_name: Schema.String,
  anonymous_id: Schema.String,
  auth_providers: Schema.Array(AuthProvider),
  properties: JsonObject,
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
}).annotate({ identifier: "EndUser" })
export type EndUser = typeof EndUser.Type

/** A user as stored. Columns that nobody may read are named here and in no answer's schema. */
export interface UserRow extends EndUser {
  readonly external_id: string | null
  readonly avatar_url: string | null
  /** IANA zone; null is treated as UTC. */
  readonly timezone: string | null
  readonly password_hash: string | null
  readonly is_disabled: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

/** As much of a user as tells who it is. */
export const UserSummary = Schema.Struct({
  id: Uuid,
  email: Schema.NullOr(Schema.String),
  external_id: Schema.NullOr(Schema.String),
  display_name: Schema.String,
  last_seen_at: Timestamp,
}).annotate({ identifier: "UserSummary" })

/** What users may change about themselves. `properties` are merged at the top level. */
export const ProfileChanges = Schema.Struct(
  partial({
    display_name: DisplayName,
    avatar_url: Schema.NullOr(text(1, 2048)),
    timezone: Schema.NullOr(Text),
    properties: JsonObject,
  }),
).annotate({ identifier: "ProfileChanges" })
export type ProfileChanges = typeof ProfileChanges.Type

/** A user's own profile [D]. */
export const OwnProfile = Schema.Struct({
  ...EndUser.fields,
  avatar_url: Schema.NullOr(Schema.String),
  timezone: Schema.NullOr(Schema.String),
  entitlements: Schema.Array(EntitlementSummary),
}).annotate({ identifier: "OwnProfile" })
