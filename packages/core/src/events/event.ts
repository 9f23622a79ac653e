import { Schema } from "effect"
import { JsonObject, Timestamp, Uuid } from "../schema.ts"

/** Something that a user did (spec: engagement event). The log of them is the source of truth for tracked activity. */
export const EngagementEvent = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  event_name: Schema.String,
  properties: JsonObject,
  occurred_at: Timestamp,
}).annotate({ identifier: "EngagementEvent" })
export type EngagementEvent = typeof EngagementEvent.Type

/** An event that is about to be written. `external_id` holds the caller's `event_id`, unique per project where not null. */
export interface NewEvent extends EngagementEvent {
  readonly external_id: string | null
}

/** How many events of a call were written, and how many had been there already. `tracked` equals `inserted`, for old callers. */
export const Recorded = Schema.Struct({ inserted: Schema.Int, skipped: Schema.Int, tracked: Schema.Int }).annotate({
  identifier: "Recorded",
})
export type Recorded = typeof Recorded.Type
