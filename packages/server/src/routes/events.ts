import { InvalidToken, RateLimitExceeded, Timestamp, Uuid } from "@hearth/core"
import { RecordedEffects } from "@hearth/core/event-effects"
import {
  BatchTooLarge,
  EngagementEvent,
  EventCount,
  EventCursor,
  EventGroup,
  EventInput,
  EventTail,
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
  OwnEventInput,
  RangeTooLarge,
} from "@hearth/core/events"
import { Schema } from "effect"
import { flag, noOffset, paging, word } from "../http/request/query.ts"
import { largeTailOf, ok, pageOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

const ingest = {
  /** Whether the answer waits for what the event did [G9.1]. */
  query: { effects: Schema.optionalKey(flag) },
  malformed: { effects: InvalidEvent },
  body: "json",
  bodyLimit: 2 * 1024 * 1024,
  invalid: InvalidJson,
  returns: ok(RecordedEffects),
  fault: "TRACK_FAILED",
} as const

const refusals = [
  InvalidJson,
  InvalidEvent,
  InvalidAppUserId,
  InvalidEventName,
  InvalidOccurredAt,
  InvalidEventId,
  BatchTooLarge,
] as const

/** Decisions D: events of an app. */
const clientEvents = [
  route("POST", "/client/events", {
    id: "client.events.record",
    ...ingest,
    summary: "Records one event of the caller, or a batch of up to 100",
    description:
      'Send one event, or `{"events": […]}`. Give every event an `event_id` of its own: then it may be sent again after a lost connection and counts once. Names that the platform or the project\'s `server_events` reserve are refused. With `effects=true` the answer to a single event waits up to 5 seconds and tells what it did.',
    access: "client",
    bodyShape: Schema.Union([OwnEventInput, Schema.Struct({ events: Schema.Array(OwnEventInput) })]),
    errors: [...refusals, InvalidToken, RateLimitExceeded],
    run: ({ core, caller, body, query }) =>
      query.effects === true
        ? core.events.recordOwnWithEffects(caller.project_id, caller.user_id, body)
        : core.events.recordOwn(caller.project_id, caller.user_id, body),
  }),
]

const bounds = { since: Schema.optionalKey(Timestamp), until: Schema.optionalKey(Timestamp) }

/** Spec: admin plane, events. */
const adminEvents = [
  route("GET", "/admin/projects/:projectId/events", {
    id: "events.list",
    summary: "Shows the events of all users, the newest first, page by page; the last 24 hours where no since is given",
    description:
      "The live tail of the log. Pass `next_cursor` of the answer as `cursor` to read on; it is null at the end.",
    access: "developer",
    query: {
      ...bounds,
      limit: paging(100).limit,
      ...noOffset(),
      cursor: Schema.optionalKey(EventCursor),
      event_name: Schema.optionalKey(word),
      user_id: Schema.optionalKey(Uuid),
    },
    malformed: {
      since: InvalidSince,
      until: InvalidUntil,
      event_name: InvalidFilter,
      user_id: InvalidFilter,
      cursor: InvalidCursor,
    },
    returns: largeTailOf(EventTail),
    fault: "LIST_FAILED",
    run: ({ core, params, query }) => core.events.tail(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/events/count", {
    id: "events.count",
    summary:
      "Counts the events of at most 90 days, by day in UTC or by name where asked for; until now where no until is given",
    description: "At most 90 days in one call. `group_by=day` or `group_by=event_name` adds `buckets`.",
    access: "developer",
    query: {
      ...bounds,
      since: Timestamp,
      event_name: Schema.optionalKey(word),
      group_by: Schema.optionalKey(EventGroup),
    },
    missing: { since: MissingSince },
    malformed: { since: InvalidSince, until: InvalidUntil },
    errors: [MissingSince, InvalidRange, RangeTooLarge],
    returns: ok(EventCount),
    fault: "COUNT_FAILED",
    run: ({ core, params, query }) => core.events.count(params.projectId, query),
  }),
  route("POST", "/admin/projects/:projectId/events", {
    id: "events.record",
    ...ingest,
    summary: "Records one event of any user, or a batch of up to 500",
    description:
      'For trusted servers: any user, any name, any time. Send one event, or `{"events": […]}` with up to 500; a batch is recorded as a whole or not at all. What was recorded before under the same `event_id` is counted in `skipped`.',
    access: "developer",
    bodyShape: Schema.Union([EventInput, Schema.Struct({ events: Schema.Array(EventInput) })]),
    errors: refusals,
    run: ({ core, params, body, query }) =>
      query.effects === true
        ? core.events.recordWithEffects(params.projectId, body)
        : core.events.record(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/events", {
    id: "users.events.list",
    summary: "Lists the events of a user, the newest first",
    description: "What one user has done, as it was recorded.",
    access: "developer",
    query: paging(),
    returns: pageOf(EngagementEvent),
    fault: "LIST_FAILED",
    run: ({ core, params, query }) => core.events.ofUser(params.projectId, params.userId, query),
  }),
]

/** The log of events. */
export const eventRoutes = [...clientEvents, ...adminEvents]
