import { InvalidInput, InvalidToken, NotFound, RateLimitExceeded } from "@hearth/core"
import { NewReport, QueueItem } from "@hearth/core/moderation"
import { created } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Decision D: reports of users. */
export const reportRoutes = [
  route("POST", "/client/reports", {
    id: "client.reports.create",
    summary: "Reports a content that the caller sees; once per text",
    description: "Reports of several users lift it in the queue.",
    access: "client",
    body: NewReport,
    errors: [InvalidInput, InvalidToken, NotFound, RateLimitExceeded],
    returns: created(QueueItem),
    run: ({ core, caller, body }) => core.moderation.report(caller.project_id, caller.user_id, body),
  }),
]
