import { Schema, Struct } from "effect"
import { Email, Text, Timestamp, text, Uuid, withDefaults } from "../schema.ts"

/** How far an author is trusted (spec: trust level). The queue passes over those with `auto_approve` [I6.2]. */
export const TrustLevel = Schema.Struct({
  app_user_id: Uuid,
  trust_level: text(1, 64),
  auto_approve: Schema.Boolean,
  updated_at: Timestamp,
}).annotate({ identifier: "TrustLevel" })
export type TrustLevel = typeof TrustLevel.Type

/** What a developer says of a user's trust. */
export const TrustLevelInput = Schema.Struct(
  withDefaults(Struct.pick(TrustLevel.fields, ["app_user_id", "trust_level", "auto_approve"]), { auto_approve: false }),
).annotate({ identifier: "TrustLevelInput" })
export type TrustLevelInput = typeof TrustLevelInput.Type

/** A trust level in a list, with the user that it is of. */
export const ListedTrustLevel = Schema.Struct({
  ...TrustLevel.fields,
  app_users: Schema.Struct({ id: Uuid, display_name: Text, email: Schema.NullOr(Email) }),
}).annotate({ identifier: "ListedTrustLevel" })
export type ListedTrustLevel = typeof ListedTrustLevel.Type
