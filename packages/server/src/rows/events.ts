import {
  BatchTooLarge,
  EventInput,
  InvalidAppUserId,
  InvalidEvent,
  InvalidEventId,
  InvalidEventName,
  InvalidJson,
  InvalidOccurredAt,
  InvalidToken,
  OwnEventInput,
  Recorded,
} from "@hearth/core"
import { Schema } from "effect"
import { ok } from "../http/answers.ts"
import { route } from "./route.ts"

const ingest = {
  body: "json",
  bodyLimit: 2 * 1024 * 1024,
  invalid: InvalidJson,
  returns: ok(Recorded),
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
export const clientEvents = [
  route("POST", "/client/events", {
    ...ingest,
    summary: "Records one event of the caller, or a batch of up to 100",
    access: "client",
    bodyShape: Schema.Union([OwnEventInput, Schema.Struct({ events: Schema.Array(OwnEventInput) })]),
    errors: [...refusals, InvalidToken],
    run: ({ core, caller, body }) => core.events.recordOwn(caller.project_id, caller.user_id, body),
  }),
]

/** Spec: admin plane, events. */
export const adminEvents = [
  route("POST", "/admin/projects/:projectId/events", {
    ...ingest,
    summary: "Records one event of any user, or a batch of up to 500",
    access: "developer",
    bodyShape: Schema.Union([EventInput, Schema.Struct({ events: Schema.Array(EventInput) })]),
    errors: refusals,
    run: ({ core, params, body }) => core.events.record(params.projectId, body),
  }),
]
