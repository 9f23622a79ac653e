import { Schema } from "effect"
import { Timestamp, Uuid } from "../schema.ts"

/** An identity of a provider that signs a user in. Unique per provider and the provider's id of the person [B9]. */
export const AccountLink = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  provider: Schema.String,
  provider_id: Schema.String,
  created_at: Timestamp,
})
export type AccountLink = typeof AccountLink.Type
