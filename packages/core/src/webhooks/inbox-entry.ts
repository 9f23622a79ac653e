import { Schema, Struct } from "effect"
import { JsonObject, Text, Timestamp, Uuid } from "../schema.ts"

/** The providers whose webhooks are taken in. */
export const WebhookProvider = Schema.Literals(["subscription", "paywall"])
export type WebhookProvider = typeof WebhookProvider.Type

/** What became of a webhook [H2.3]. */
export const InboxStatus = Schema.Literals(["received", "processed", "unresolved", "ignored", "failed"])
export type InboxStatus = typeof InboxStatus.Type

/** A webhook as it is stored. Unique: (`provider`, `provider_event_id`), where there is one. */
export const InboxRow = Schema.Struct({
  id: Uuid,
  provider: WebhookProvider,
  /** The provider's id of the event; null where the body has none. */
  provider_event_id: Schema.NullOr(Text),
  event_type: Schema.NullOr(Text),
  /** Whom the provider says it concerns. */
  provider_user_id: Schema.NullOr(Text),
  status: InboxStatus,
  /** Why it was ignored, is unresolved or failed: a sentence; null otherwise. */
  error: Schema.NullOr(Text),
  received_at: Timestamp,
  processed_at: Schema.NullOr(Timestamp),
  /** The body; null where it was no JSON object, or one without an id that is too large to be kept whole. */
  payload: Schema.NullOr(JsonObject),
  /** The beginning of a body that is not kept as `payload`; null otherwise. */
  body_text: Schema.NullOr(Text),
  /** By which a body without an id is told apart from others: its SHA-256; null where there is an id. */
  body_key: Schema.NullOr(Text),
  /** When the provider says that it happened; where it does not, when the webhook came in. */
  event_at: Timestamp,
})
export type InboxRow = typeof InboxRow.Type

/** A webhook with the user of the app whom it concerns first; null where nobody was found. */
export interface InboxEntry extends InboxRow {
  readonly app_user_id: string | null
}

const { id, provider, provider_event_id, event_type, provider_user_id, status, error, received_at, processed_at } =
  InboxRow.fields

/** A webhook in the list [H2.3]. */
export const InboxSummary = Schema.Struct({
  ...{ id, provider, provider_event_id, event_type },
  /** The user of the app whom it concerns first; null where nobody was found. */
  app_user_id: Schema.NullOr(Uuid),
  ...{ provider_user_id, status, error, received_at, processed_at },
}).annotate({ identifier: "InboxEntry" })
export type InboxSummary = typeof InboxSummary.Type

/** A webhook with its body: an object, or the beginning of the text where it was none [H2.3]. */
export const InboxEntryView = Schema.Struct({
  ...InboxSummary.fields,
  payload: Schema.NullOr(Schema.Union([JsonObject, Schema.String])),
}).annotate({ identifier: "InboxEntryWithPayload" })
export type InboxEntryView = typeof InboxEntryView.Type

/** What a list shows of an entry. */
export const summarizeEntry = (entry: InboxEntry): InboxSummary =>
  Struct.pick(entry, [
    ...(["id", "provider", "provider_event_id", "event_type", "app_user_id", "provider_user_id"] as const),
    ...(["status", "error", "received_at", "processed_at"] as const),
  ])
