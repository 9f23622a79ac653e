import { Schema } from "effect"
import { JsonObject, Timestamp, Uuid } from "../schema.ts"

/** The providers whose webhooks are taken in. */
export const WebhookProvider = Schema.Literals(["subscription", "paywall"])
export type WebhookProvider = typeof WebhookProvider.Type

/** What became of a webhook [H2.3]. */
export const InboxStatus = Schema.Literals(["received", "processed", "unresolved", "ignored", "failed"])
export type InboxStatus = typeof InboxStatus.Type

/** A webhook as it came in, and what became of it [H2.3]. Unique: (`provider`, `provider_event_id`), where there is one. */
export const InboxEntry = Schema.Struct({
  id: Uuid,
  provider: WebhookProvider,
  /** The provider's id of the event; null where the body has none. */
  provider_event_id: Schema.NullOr(Schema.String),
  event_type: Schema.NullOr(Schema.String),
  /** The user of the app whom it concerns first; null where nobody was found. */
  app_user_id: Schema.NullOr(Uuid),
  /** Whom the provider says it concerns. */
  provider_user_id: Schema.NullOr(Schema.String),
  status: InboxStatus,
  /** Why it was ignored, is unresolved or failed: a sentence; null otherwise. */
  error: Schema.NullOr(Schema.String),
  received_at: Timestamp,
  processed_at: Schema.NullOr(Timestamp),
  /** The body; null where it was no JSON object. */
  payload: Schema.NullOr(JsonObject),
}).annotate({ identifier: "InboxEntryRow" })
export type InboxEntry = typeof InboxEntry.Type
