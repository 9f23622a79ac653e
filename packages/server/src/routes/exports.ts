import { NotFound, Timestamp, Uuid, withDefault } from "@hearth/core"
import { InvalidCursor, InvalidSince, InvalidUntil } from "@hearth/core/events"
import { ExportFormat, exportTypes, InvalidUserId, UserRecords } from "@hearth/core/exports"
import { Schema } from "effect"
import { noOffset, paging, word } from "../http/request/query.ts"
import { json, textFile } from "../http/response/answers.ts"
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
    run: ({ core, params, query }) => core.exports.users(params.projectId, query),
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
    run: ({ core, params, query }) => core.exports.userEvents(params.projectId, { ...query, user_id: params.userId }),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/export", {
    id: "users.export",
    summary: "Sends all that is stored about a user as a file, section after section",
    description:
      "For requests of access by law: NDJSON, a section after another, secrets left out; the events come last. A section that fails leaves one line that says so, and the others follow.",
    access: "developer",
    malformed: { userId: InvalidUserId },
    errors: [NotFound],
    returns: textFile(exportTypes.ndjson),
    fault: "EXPORT_FAILED",
    run: ({ core, params }) => core.exports.user(params.projectId, params.userId),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/records/:section", {
    id: "users.records",
    summary: "Lists what is stored about a user in one section of the export, page by page",
    description:
      "`section` is one that the export of the user has, such as `push_tokens`, `tracking_sessions`, `webhook_inbox`, `messages` or `reviews`; records are as there, the last by their key first. Pass `next_cursor` of the answer as `cursor` to read on; it is null at the end.",
    access: "developer",
    params: { section: word },
    query: { limit: paging().limit, ...noOffset(), cursor: Schema.optionalKey(word) },
    malformed: { userId: InvalidUserId, cursor: InvalidCursor },
    errors: [NotFound, InvalidCursor],
    returns: json(UserRecords),
    fault: "LIST_FAILED",
    run: ({ core, params, query }) =>
      core.exports.records(params.projectId, params.userId, { ...query, section: params.section }),
  }),
]
