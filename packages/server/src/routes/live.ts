import { RateLimitExceeded, Uuid } from "@hearth/core"
import { InvalidUserId } from "@hearth/core/exports"
import { StreamsFull } from "@hearth/core/live"
import { Schema } from "effect"
import { word } from "../http/request/query.ts"
import { eventStream } from "../http/response/event-stream.ts"
import { route } from "./route.ts"

/** The id of the last event that was received. It is never refused: one that says nothing begins anew, with an event that says so. */
const readLastId = (header: (name: string) => string | null) => header("last-event-id") || null

const errors = [RateLimitExceeded, StreamsFull] as const

/** What is new, as it happens (docs/live.md). */
export const liveRoutes = [
  route("GET", "/admin/projects/:projectId/live", {
    id: "live.project",
    summary: "Sends what is new in a project, as it happens",
    description:
      "Server-sent events. `batch`: new events, what was done for them and what was set aside, at most three times a second, the newest of each and how many were left out. `counters`: how many there were, each second. With `event_name` only events of that name and what they led to; with `user_id` only those of that user.",
    access: "developer",
    query: { event_name: Schema.optionalKey(word), user_id: Schema.optionalKey(Uuid) },
    malformed: { user_id: InvalidUserId },
    errors,
    returns: eventStream,
    run: ({ core, params, query, caller, header }) =>
      core.live.ofProject(params.projectId, { ...caller, ...query }, readLastId(header)),
  }),
  route("GET", "/client/stream", {
    id: "client.stream",
    summary: "Sends what is new for the user, as it happens",
    description:
      "Server-sent events: `message`, `achievement`, `xp`, `level`, `feed_item` and `streak`, each as its list shows it. A client that was cut off sends the last id that it got as `Last-Event-ID`, and gets what it missed of the last five minutes. `reset` says that something may be missing: read the lists again. `end` says why the stream ends.",
    access: "client",
    errors,
    returns: eventStream,
    run: ({ core, caller, header }) => core.live.ofUser(caller.project_id, caller, readLastId(header)),
  }),
]
