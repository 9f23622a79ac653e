import { Schema, Struct } from "effect"
import { JsonObject, Timestamp, text, Uuid } from "../schema.ts"

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
export const NewEvent = Schema.Struct({ ...EngagementEvent.fields, external_id: Schema.NullOr(Schema.String) })
export type NewEvent = typeof NewEvent.Type

/** An event that the platform itself writes, because of something that a feature did. */
export interface PlatformEvent extends Omit<EngagementEvent, "id"> {
  /**
   * Names the cause once and for all, for example `achievements/<unlock id>/achievement_unlocked`: feature, cause and kind.
   * A second event of the same key is not written.
   */
  readonly cause_key: string
}

/** How many events of a call were written, and how many had been there already. `tracked` equals `inserted`, for old callers. */
export const Recorded = Schema.Struct({ inserted: Schema.Int, skipped: Schema.Int, tracked: Schema.Int }).annotate({
  identifier: "Recorded",
})
export type Recorded = typeof Recorded.Type

/** One event as a developer's service sends it. Checked by `parseEvents`, which has a code for each of its fields; this is for the reference. */
export const EventInput = Schema.Struct({
  app_user_id: Uuid,
  event_name: text(1, 255),
  properties: Schema.optionalKey(JsonObject),
  occurred_at: Schema.optionalKey(Timestamp),
  event_id: Schema.optionalKey(text(1, 255)),
}).annotate({ identifier: "EventInput" })

/** One event as an app sends it: of the user whose session it is. */
export const OwnEventInput = Schema.Struct(Struct.omit(EventInput.fields, ["app_user_id"])).annotate({
  identifier: "OwnEventInput",
})
