import { InvalidInput, InvalidToken, NotFound, QuotaExceeded, Text } from "@hearth/core"
import { ClientItemChanges, ContentItem, NewClientItem } from "@hearth/core/content"
import { ContentRejected } from "@hearth/core/moderation"
import { Schema } from "effect"
import { paging } from "../../http/request/query.ts"
import { created, deleted, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

const itemBytes = 2 * 1024 * 1024

/** Spec: client plane, content: what users read and write. */
export const clientItemRoutes = [
  route("GET", "/client/content/libraries/:libraryId", {
    id: "client.content.items.list",
    summary: "Lists what the caller sees of a library, by `sort_order`",
    description: "Active items of the project, and those of users. Narrow it with `category`.",
    access: "client",
    query: { ...paging(), category: Schema.optionalKey(Text) },
    errors: [NotFound],
    returns: pageOf(ContentItem),
    run: ({ core, caller, params, query }) =>
      core.content.ofClients.list(caller.project_id, caller.user_id, params.libraryId, query),
  }),
  route("POST", "/client/content/libraries/:libraryId/items", {
    id: "client.content.items.create",
    summary: "Adds an item of the caller's at the end of a library",
    description: "Moderation rules look at its text: `moderation` says whether others see it.",
    access: "client",
    body: NewClientItem,
    bodyLimit: itemBytes,
    errors: [InvalidInput, ContentRejected, InvalidToken, NotFound, QuotaExceeded],
    returns: created(ContentItem),
    fault: "CREATE_FAILED",
    run: ({ core, caller, params, body }) =>
      core.content.ofClients.create(caller.project_id, caller.user_id, params.libraryId, body),
  }),
  route("GET", "/client/content/items/:itemId", {
    id: "client.content.items.get",
    summary: "Shows an item that the caller sees",
    description: "An item of the project, or one that the caller has written.",
    access: "client",
    errors: [NotFound],
    returns: ok(ContentItem),
    fault: "FETCH_FAILED",
    run: ({ core, caller, params }) => core.content.ofClients.get(caller.project_id, caller.user_id, params.itemId),
  }),
  route("PATCH", "/client/content/items/:itemId", {
    id: "client.content.items.update",
    summary: "Changes an item of the caller's own",
    description: "Only the keys that are sent change. An item of somebody else is 404, like one that is not there.",
    access: "client",
    body: ClientItemChanges,
    bodyLimit: itemBytes,
    errors: [InvalidInput, ContentRejected, InvalidToken, NotFound],
    returns: ok(ContentItem),
    fault: "UPDATE_FAILED",
    run: ({ core, caller, params, body }) =>
      core.content.ofClients.update(caller.project_id, caller.user_id, params.itemId, body),
  }),
  route("DELETE", "/client/content/items/:itemId", {
    id: "client.content.items.delete",
    summary: "Removes an item of the caller's own",
    description: "An item of somebody else is 404, like one that is not there.",
    access: "client",
    errors: [NotFound],
    returns: deleted,
    fault: "DELETE_FAILED",
    run: ({ core, caller, params }) => core.content.ofClients.remove(caller.project_id, caller.user_id, params.itemId),
  }),
]
