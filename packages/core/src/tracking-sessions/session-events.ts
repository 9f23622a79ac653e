import type { PlatformEvent } from "../events/event.ts"
import type { TrackingSessionRow } from "./tracking-session.ts"

const causeKey = ({ id }: TrackingSessionRow, name: string) => `tracking-sessions/${id}/${name}`

/** The event of a session's start [H5.1]. */
export const describeStart = (session: TrackingSessionRow): PlatformEvent => {
  const { app_user_id, session_id, started_at, platform, app_version, device_model } = session
  const event_name = "session_started"
  const properties = { session_id, platform, app_version, device_model }
  return { app_user_id, event_name, properties, occurred_at: started_at, cause_key: causeKey(session, event_name) }
}

/** The event of a session's end [H5.1]: at the end itself, also where it is noticed later. */
export const describeEnd = (session: TrackingSessionRow & { readonly ended_at: Date }): PlatformEvent => {
  const { app_user_id, session_id, ended_at, duration_seconds } = session
  const event_name = "session_ended"
  const properties = { session_id, duration_seconds }
  return { app_user_id, event_name, properties, occurred_at: ended_at, cause_key: causeKey(session, event_name) }
}
