import { Schema, Struct } from "effect"
import { EntitlementSummary } from "../entitlements/entitlement.ts"
import { JsonObject, partial, Text, Timestamp, text, Uuid } from "../schema.ts"
import { WebUrl } from "../web-address.ts"

/** An identity that signs in a user: the provider and its id of the user. */
export const AuthProvider = Schema.Struct({ provider: Schema.String, provider_id: Schema.String }).annotate({
  identifier: "AuthProvider",
})

/** A display name that a user may choose. */
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

/** A user as stored. Secret columns are listed here and in no answer's schema. */
export const UserRow = Schema.Struct({
  ...EndUser.fields,
  external_id: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String),
  /** IANA zone; null is treated as UTC. */
  timezone: Schema.NullOr(Schema.String),
  password_hash: Schema.NullOr(Schema.String),
  /** When somebody first proved to be at the email; null while nobody has, and without an email [B15]. */
  email_verified_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Whether the user is prevented from signing in. */
  is_disabled: Schema.Boolean,
  /** What the user calls themselves while moderation holds it: others see `display_name` and `avatar_url`. Else null [I6.3]. */
  held_profile: Schema.NullOr(Schema.Struct({ display_name: Schema.String, avatar_url: Schema.NullOr(Schema.String) })),
})
export type UserRow = typeof UserRow.Type

const { id, email, external_id, display_name, last_seen_at } = UserRow.fields

/** The columns of a user that the user is shown, and what is shown in the place of some while moderation holds it. */
export const ProfileRow = Schema.Struct({
  ...EndUser.fields,
  ...Struct.pick(UserRow.fields, ["avatar_url", "timezone", "held_profile"]),
})
export type ProfileRow = typeof ProfileRow.Type

/** The fields that identify a user in a list. */
export const UserSummary = Schema.Struct({ id, email, external_id, display_name, last_seen_at }).annotate({
  identifier: "UserSummary",
})

/** A user as other users see one: joined to what the user has written or takes part in. */
export const Person = Schema.Struct({
  id,
  display_name,
  avatar_url: UserRow.fields.avatar_url,
}).annotate({ identifier: "Person" })
export type Person = typeof Person.Type

/** The fields that users can change about themselves. `properties` are merged at the top level. */
export const ProfileChanges = Schema.Struct(
  partial({
    display_name: DisplayName,
    avatar_url: Schema.NullOr(WebUrl),
    timezone: Schema.NullOr(Text),
    properties: JsonObject,
  }),
).annotate({ identifier: "ProfileChanges" })
export type ProfileChanges = typeof ProfileChanges.Type

/** A user's own profile [D]. */
export const OwnProfile = Schema.Struct({
  ...EndUser.fields,
  ...Struct.pick(UserRow.fields, ["avatar_url", "timezone"]),
  entitlements: Schema.Array(EntitlementSummary),
}).annotate({ identifier: "OwnProfile" })
