import { Schema, Struct } from "effect"
import { jsonBytes } from "../onboarding/json.ts"
import { Count, JsonObject, Timestamp, text, Uuid, withDefaults } from "../schema.ts"

/** The most bytes that the metadata of a session has as JSON [H5.1]. */
const maxMetadataBytes = 16 * 1024

/** What an app calls its session: unique for its user [H5.1]. */
const SessionId = text(1, 255)

const Label = Schema.NullOr(text(0, 255))

/** A use of the app that is measured (spec: tracking session). */
export const TrackingSession = Schema.Struct({
  id: Uuid,
  session_id: SessionId,
  started_at: Timestamp,
  /** Null while the session is open. */
  ended_at: Schema.NullOr(Timestamp),
  /** Whole seconds from the start to the end; of an open session to its last sign of life. */
  duration_seconds: Count,
  platform: Label,
  app_version: Label,
  device_model: Label,
  metadata: JsonObject,
}).annotate({ identifier: "TrackingSession" })
export type TrackingSession = typeof TrackingSession.Type

/** A session as stored. Unique: (`app_user_id`, `session_id`). An open one may have lapsed: `showSession` tells. */
export const TrackingSessionRow = Schema.Struct({
  ...TrackingSession.fields,
  app_user_id: Uuid,
  /** The last sign of life: the start, or the last heartbeat. */
  last_seen_at: Timestamp,
  /** When the background looks whether an open session has lapsed. Not later than that. */
  check_at: Timestamp,
})
export type TrackingSessionRow = typeof TrackingSessionRow.Type

const { fields } = TrackingSession

/** What an app starts a session with. */
export const NewTrackingSession = Schema.Struct({
  session_id: SessionId,
  ...withDefaults(Struct.pick(fields, ["platform", "app_version", "device_model"]), {
    platform: null,
    app_version: null,
    device_model: null,
  }),
  ...withDefaults(
    {
      metadata: JsonObject.check(
        Schema.makeFilter((value: JsonObject) => jsonBytes(value) <= maxMetadataBytes || "must be at most 16 KB"),
      ),
    },
    { metadata: {} },
  ),
}).annotate({ identifier: "NewTrackingSession" })
export type NewTrackingSession = typeof NewTrackingSession.Type

/** Which session of the caller is meant. */
export const TrackingSessionReference = Schema.Struct({ session_id: SessionId }).annotate({
  identifier: "TrackingSessionReference",
})

/** The answer to a start. */
export const StartedSession = Schema.Struct(
  Struct.pick(fields, ["id", "session_id", "started_at", "platform", "app_version"]),
).annotate({ identifier: "StartedSession" })

/** The answer to an end. */
export const EndedSession = Schema.Struct({
  ...Struct.pick(fields, ["id", "session_id", "duration_seconds"]),
  ended_at: Timestamp,
}).annotate({ identifier: "EndedSession" })
