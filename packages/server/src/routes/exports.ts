import { NotFound, Timestamp, Uuid, withDefault } from "@hearth/core"
import { InvalidSince, InvalidUntil } from "@hearth/core/events"
import { ExportFormat, exportTypes, InvalidUserId } from "@hearth/core/exports"
import { Schema } from "effect"
import { word } from "../http/request/query.ts"
import { textFile } from "../http/response/answers.ts"
import { route } from "./route.ts"

const format = withDefault(ExportFormat, "csv")

/** Spec: admin plane, users: exports. */
export const exportRoutes = [
  route("GET", "/admin/projects/:projectId/users/export", {
    id: "users.exportAll",
    summary: "Sends all users as a file, or those created at since or later, or the members of a segment",
    description: "CSV, or NDJSON with `format=ndjson`. The file is sent while it is read, at the speed of the reader.",
    access: "developer",
    query: { format, since: Schema.optionalKey(Timestamp), segment_id: Schema.optionalKey(Uuid) },
    malformed: { since: InvalidSince },
    returns: textFile(exportTypes.csv, exportTypes.ndjson),
    run: ({ core, params, query: { format, since = null, segment_id = null } }) =>
      core.exports.users(params.projectId, { format, since, segment_id }),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/events/export", {
    id: "users.events.export",
    summary: "Sends the events of a user as a file, the oldest first",
    description: "CSV, or NDJSON with `format=ndjson`; narrow it with `event_name`, `since` and `until`.",
    access: "developer",
    query: {
      format,
      since: Schema.optionalKey(Timestamp),
      until: Schema.optionalKey(Timestamp),
      event_name: Schema.optionalKey(word),
    },
    malformed: { userId: InvalidUserId, since: InvalidSince, until: InvalidUntil },
    errors: [NotFound],
    returns: textFile(exportTypes.csv, exportTypes.ndjson),
    fault: "FETCH_FAILED",
    run: ({ core, params, query: { format, since = null, until = null, event_name = null } }) =>
      core.exports.userEvents(params.projectId, { format, user_id: params.userId, since, until, event_name }),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/export", {
    id: "users.export",
    summary: "Sends all that is stored about a user as a file, section after section",
    description:
      "For requests of access by law: NDJSON, a section after another, secrets left out. A line at the end says that it is complete.",
    access: "developer",
    malformed: { userId: InvalidUserId },
    errors: [NotFound],
    returns: textFile(exportTypes.ndjson),
    fault: "EXPORT_FAILED",
    run: ({ core, params }) => core.exports.user(params.projectId, params.userId),
  }),
]
