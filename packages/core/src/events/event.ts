import { Schema, Struct } from "effect"
import { Count, JsonObject, Timestamp, text, Uuid } from "../schema.ts"

/** An event of a user (spec: engagement event). The log of events is the source of truth for tracked activity. */
export const EngagementEvent = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  event_name: Schema.String,
  properties: JsonObject,
  occurred_at: Timestamp,
}).annotate({ identifier: "EngagementEvent" })
export type EngagementEvent = typeof EngagementEvent.Type

/** From which plane events are written. */
export type WritingPlane = "admin" | "client"

/**
 * An event to write. `external_id` is the caller's `event_id`. Where it is not null it is unique: per project on the admin
 * plane, per user on the client plane, and these never meet [G0.3].
 */
export const NewEvent = Schema.Struct({ ...EngagementEvent.fields, external_id: Schema.NullOr(Schema.String) })
export type NewEvent = typeof NewEvent.Type

/** An event that the platform writes, caused by a feature. */
export interface PlatformEvent extends Omit<EngagementEvent, "id"> {
  /**
   * Identifies the cause: feature, cause and kind, for example `achievements/<unlock id>/achievement_unlocked`. A second
   * event with the same key is not written.
   */
  readonly cause_key: string
}

/** The `cause_key` of an app's event that has an `event_id` [G0.3]. No feature is named `client`. */
export const appEventKey = (userId: string, eventId: string): string => `client/${userId}/${eventId}`

/** How many events of a call were written, and how many existed already. `tracked` equals `inserted`, for old callers. */
export const Recorded = Schema.Struct({ inserted: Count, skipped: Count, tracked: Count }).annotate({
  identifier: "Recorded",
})
export type Recorded = typeof Recorded.Type

/** An event as a developer's service sends it, for the API reference. `parseEvents` validates it, with a code per field. */
export const EventInput = Schema.Struct({
  app_user_id: Uuid,
  event_name: text(1, 255),
  properties: Schema.optionalKey(JsonObject),
  occurred_at: Schema.optionalKey(Timestamp),
  event_id: Schema.optionalKey(text(1, 255)),
}).annotate({ identifier: "EventInput" })

/** An event as an app sends it, for the user of the session. */
export const OwnEventInput = Schema.Struct(Struct.omit(EventInput.fields, ["app_user_id"])).annotate({
  identifier: "OwnEventInput",
})
