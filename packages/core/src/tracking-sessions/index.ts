export { SessionNotOpen } from "./failures.ts"
export type { TrackingSessions, TrackingSessionsDb } from "./port.ts"
export { lapseMillis } from "./rules.ts"
export { trackingSessionsSection } from "./sections.ts"
export {
  EndedSession,
  NewTrackingSession,
  StartedSession,
  TrackingSession,
  TrackingSessionReference,
  TrackingSessionRow,
} from "./tracking-session.ts"
export { makeTrackingSessions } from "./tracking-sessions.ts"
export { makeTrackingSessionsWork } from "./work.ts"
