export { type AppEventRules, defaultEventRules, mayAppWrite } from "./app-event-rules.ts"
export { EventCursor } from "./cursor.ts"
export { departEvents } from "./departure.ts"
export {
  appEventKey,
  EngagementEvent,
  EventInput,
  NewEvent,
  OwnEventInput,
  type PlatformEvent,
  Recorded,
  type WritingPlane,
} from "./event.ts"
export {
  idleEvents,
  idlePrefix,
  isActivity,
  isPlatformEvent,
  isProviderEvent,
  isReservedEvent,
  platformEvents,
  providerPrefixes,
} from "./event-names.ts"
export { makeEvents, maxEvents } from "./events.ts"
export {
  BatchTooLarge,
  InvalidAppUserId,
  InvalidCursor,
  InvalidEvent,
  InvalidEventId,
  InvalidEventName,
  InvalidFilter,
  InvalidJson,
  InvalidOccurredAt,
  InvalidRange,
  InvalidSince,
  InvalidUntil,
  MissingSince,
  RangeTooLarge,
} from "./failures.ts"
export { type EventAuthor, type EventRefusal, parseEvents } from "./parse-events.ts"
export type {
  CountedEvents,
  EventBucket,
  EventFilter,
  EventPosition,
  Events,
  EventsDb,
  EventsWritten,
} from "./port.ts"
export {
  type CountQuery,
  EventCount,
  EventGroup,
  EventTail,
  makeReadEvents,
  maxCountedDays,
  type TailQuery,
} from "./read-events.ts"
export { engagementEventsSection } from "./sections.ts"
export { greatestSummand, readSummand } from "./summand.ts"
