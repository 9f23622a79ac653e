import { Schema, Struct } from "effect"
import { Count, Text, Timestamp, text, Uuid } from "../schema.ts"
import { ContentType } from "./content.ts"
import { ruleTypes } from "./rule.ts"

/** Where a decision stands. `pending` and `escalated` are open: a moderator has still to approve or reject. */
const queueStatuses = ["pending", "approved", "rejected", "escalated"] as const
export const QueueStatus = Schema.Literals(queueStatuses)
export type QueueStatus = typeof QueueStatus.Type

/** Why something was queued: the type of the rule that matched, or that somebody reported it [I6.4]. */
export const QueueReason = Schema.Literals([...ruleTypes, "reported"])
export type QueueReason = typeof QueueReason.Type

/**
 * A piece of content that waits for a moderator, as stored. There is one open item per content. `text_digest` is of the text that
 * was approved; null before, and where the text has changed since. Users and rules that are gone stay named here.
 */
export const QueueItemRow = Schema.Struct({
  id: Uuid,
  reason: QueueReason,
  status: QueueStatus,
  created_at: Timestamp,
  moderator_id: Schema.NullOr(Text),
  resolved_at: Schema.NullOr(Timestamp),
  content_type: ContentType,
  content_id: Uuid,
  /** The author; in answers null where that user is gone. */
  app_user_id: Schema.NullOr(Uuid),
  /** The rule that matched last; null where none did, in answers also where it was removed. */
  rule_id: Schema.NullOr(Uuid),
  excerpt: text(0, 280),
  text_digest: Schema.NullOr(Text),
  /** True while the item is open, else null: so the content is unique among open items. */
  is_open: Schema.NullOr(Schema.Boolean),
})
export type QueueItemRow = typeof QueueItemRow.Type

/** An item of the queue (spec: moderation queue item) [I6.2, I6.4]. `report_reasons` are the newest 20, the newest first. */
export const QueueItem = Schema.Struct({
  ...Struct.omit(QueueItemRow.fields, ["text_digest", "is_open"]),
  report_count: Count,
  report_reasons: Schema.Array(Schema.String),
}).annotate({ identifier: "ModerationQueueItem" })
export type QueueItem = typeof QueueItem.Type

/** A report of a user, as stored. Unique: the item, the user and `text_digest`, so that a user counts once per text. */
export const ReportRow = Schema.Struct({
  id: Uuid,
  item_id: Uuid,
  content_type: ContentType,
  content_id: Uuid,
  app_user_id: Uuid,
  text_digest: Text,
  reason: Text,
  created_at: Timestamp,
})
export type ReportRow = typeof ReportRow.Type
