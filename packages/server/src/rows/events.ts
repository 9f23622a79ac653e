import {
  BatchTooLarge,
  InvalidAppUserId,
  InvalidEvent,
  InvalidEventId,
  InvalidEventName,
  InvalidJson,
  InvalidOccurredAt,
  InvalidToken,
  Recorded,
} from "@hearth/core"
import { ok } from "../http/answers.ts"
import { route } from "./route.ts"

const ingest = {
  body: "json",
  bodyLimit: 2 * 1024 * 1024,
  invalid: InvalidJson,
  errors: [
    InvalidJson,
    InvalidEvent,
    InvalidAppUserId,
    InvalidEventName,
    InvalidOccurredAt,
    InvalidEventId,
    BatchTooLarge,
    InvalidToken,
  ],
  returns: ok(Recorded),
  fault: "TRACK_FAILED",
} as const

/** Decisions D: events of an app. */
export const clientEvents = [
  route("POST", "/client/events", {
    ...ingest,
    summary: "Records one event of the caller, or a batch of up to 100",
    access: "client",
    run: ({ core, caller, body }) => core.events.record(caller.project_id, body, { user_id: caller.user_id }),
  }),
]

/** Spec: admin plane, events. */
export const adminEvents = [
  route("POST", "/admin/projects/:projectId/events", {
    ...ingest,
    summary: "Records one event of any user, or a batch of up to 500",
    access: "developer",
    run: ({ core, params, body }) => core.events.record(params.projectId, body, "named"),
  }),
]
