import { ListCursor, NotFound } from "@hearth/core"
import {
  DeadLetterContent,
  DeadLetterStatus,
  DeadLetterView,
  LettersRetried,
  RetryLetters,
  WaitingWork,
} from "@hearth/core/background"
import { InvalidCursor } from "@hearth/core/events"
import { Schema } from "effect"
import { paging, readsOn } from "../http/request/query.ts"
import { deleted, listPageOf, ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** What waits for the background, and what could not be handled there (decisions C). */
export const backgroundRoutes = [
  route("GET", "/admin/projects/:projectId/background", {
    id: "background.get",
    summary: "Says how much waits to be handled in the background, and for how long the oldest of it has waited",
    description:
      "The events of one call wait as one. `lag_seconds` is how late streaks, XP, achievements and the like are at present.",
    access: "developer",
    returns: ok(WaitingWork),
    run: ({ core, params }) => core.waitingWork.find(params.projectId),
  }),
  route("GET", "/admin/projects/:projectId/background/dead", {
    id: "background.dead.list",
    summary: "Lists the events and outbox entries that could not be handled and were set aside, the newest first",
    description:
      "Empty unless something is wrong. `reaction` says what failed and `error` why. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), status: Schema.optionalKey(DeadLetterStatus), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(DeadLetterView, ListCursor),
    run: ({ core, params, query }) => core.deadLetters.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/background/dead/:id", {
    id: "background.dead.get",
    summary: "Shows a dead letter with the event, or the payload of the entry, that could not be handled",
    description: "`next_try_at` is null once nothing is tried by itself.",
    access: "developer",
    errors: [NotFound],
    returns: ok(DeadLetterContent),
    run: ({ core, params }) => core.deadLetters.find(params.projectId, params.id),
  }),
  route("POST", "/admin/projects/:projectId/background/dead/retry", {
    id: "background.dead.retryAll",
    summary: "Tries all dead letters again, or those of a reaction, in the order in which they failed",
    description: "Mend the cause first: what fails again is set aside again.",
    access: "developer",
    body: RetryLetters,
    optionalBody: true,
    returns: ok(LettersRetried),
    run: ({ core, params, body }) => core.deadLetters.retryAll(params.projectId, body),
  }),
  route("POST", "/admin/projects/:projectId/background/dead/:id/retry", {
    id: "background.dead.retry",
    summary: "Tries a dead letter again at once",
    description: "It may fail again: look at the list.",
    access: "developer",
    errors: [NotFound],
    returns: ok(DeadLetterView),
    run: ({ core, params }) => core.deadLetters.retry(params.projectId, params.id),
  }),
  route("DELETE", "/admin/projects/:projectId/background/dead/:id", {
    id: "background.dead.delete",
    summary: "Gives a dead letter up",
    description: "What it would have done is not done.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.deadLetters.remove(params.projectId, params.id),
  }),
]
