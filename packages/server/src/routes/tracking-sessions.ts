import { InvalidInput, InvalidToken } from "@hearth/core"
import {
  EndedSession,
  NewTrackingSession,
  SessionNotOpen,
  StartedSession,
  TrackingSession,
  TrackingSessionReference,
} from "@hearth/core/tracking-sessions"
import { created, ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** Spec: client plane, tracking sessions. */
export const trackingSessionRoutes = [
  route("POST", "/client/sessions/start", {
    id: "client.sessions.start",
    summary: "Starts a session of the caller; one that was started before is answered as it is",
    description:
      "Call it when the app comes to the front, with an id that the app makes up. It also counts as activity of the user.",
    access: "client",
    body: NewTrackingSession,
    errors: [InvalidInput, InvalidToken],
    returns: created(StartedSession),
    fault: "CREATE_FAILED",
    run: ({ core, caller, body }) => core.trackingSessions.start(caller.project_id, caller.user_id, body),
  }),
  route("POST", "/client/sessions/end", {
    id: "client.sessions.end",
    summary: "Ends a session of the caller; one that has ended is answered as it is",
    description: "Call it when the app goes to the background.",
    access: "client",
    body: TrackingSessionReference,
    errors: [InvalidInput, InvalidToken, SessionNotOpen],
    returns: ok(EndedSession),
    run: ({ core, caller, body }) => core.trackingSessions.end(caller.project_id, caller.user_id, body.session_id),
  }),
  route("POST", "/client/sessions/heartbeat", {
    id: "client.sessions.heartbeat",
    summary: "Says that a session of the caller goes on; without that for 30 minutes it has ended",
    description:
      "Call it every minute or so while the app is in front. A session that has ended does not come back: start a new one.",
    access: "client",
    body: TrackingSessionReference,
    errors: [InvalidInput, SessionNotOpen],
    returns: ok(TrackingSession),
    run: ({ core, caller, body }) =>
      core.trackingSessions.heartbeat(caller.project_id, caller.user_id, body.session_id),
  }),
]
