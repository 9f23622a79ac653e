import type { TrackingSessionRow } from "@hearth/core/tracking-sessions"
import { builtAt, type Given, makeId, nextNumber } from "../builders.ts"

const halfHour = 30 * 60_000

/** An open session that was not heard of since its start, of an app that says nothing of itself. */
export const aTrackingSession = (given: Given<TrackingSessionRow, "app_user_id">): TrackingSessionRow => {
  const n = nextNumber()
  const started_at = given.started_at ?? new Date(builtAt)
  const last_seen_at = given.last_seen_at ?? started_at
  return {
    id: makeId(n),
    session_id: `session-${n}`,
    started_at,
    ended_at: null,
    duration_seconds: Math.floor((last_seen_at.getTime() - started_at.getTime()) / 1_000),
    platform: null,
    app_version: null,
    device_model: null,
    metadata: {},
    last_seen_at,
    check_at: new Date(last_seen_at.getTime() + halfHour),
    ...given,
  }
}
