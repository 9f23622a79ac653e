import { Count, InvalidInput, NotFound } from "@hearth/core"
import { ContentImport, ContentItem, ContentItemChanges, NewContentItems } from "@hearth/core/content"
import { Effect, Schema } from "effect"
import { flag, paging } from "../../http/request/query.ts"
import { created, deleted, json, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

const megabyte = 1024 * 1024
const insertedItems = Schema.Struct({ data: Schema.Array(ContentItem), total: Count }).annotate({
  identifier: "InsertedItems",
})
const imported = Schema.Struct({ imported: Count })

/** Spec: admin plane, content; E11, I1.1, I1.2: items. */
export const itemRoutes = [
  route("POST", "/admin/projects/:projectId/content/libraries/:libraryId/items", {
    id: "content.items.create",
    summary: "Adds 1 to 500 items at the end of a library, all of them or none",
    description:
      'Send `{"items": […]}`. A single wrong item refuses all of them; `content.items.import` takes more at once.',
    access: "developer",
    body: NewContentItems,
    bodyLimit: 2 * megabyte,
    errors: [InvalidInput, NotFound],
    returns: json(insertedItems, 201),
    fault: "CREATE_FAILED",
    run: ({ core, params, body }) =>
      Effect.map(core.content.items.insert(params.projectId, params.libraryId, body.items), (data) => ({
        data,
        total: data.length,
      })),
  }),
  route("GET", "/admin/projects/:projectId/content/libraries/:libraryId/items", {
    id: "content.items.list",
    summary: "Lists the active items of a library, by `sort_order`",
    description:
      "Inactive items are left out; with `is_active=false` they alone are listed. Items of users are in it with their `owner_app_user_id`.",
    access: "developer",
    query: { ...paging(), is_active: Schema.optionalKey(flag) },
    errors: [InvalidInput, NotFound],
    returns: pageOf(ContentItem),
    run: ({ core, params, query }) => core.content.items.list(params.projectId, params.libraryId, query),
  }),
  route("POST", "/admin/projects/:projectId/content/libraries/:libraryId/bulk", {
    id: "content.items.import",
    summary: "Adds 1 to 5,000 items at the end of a library, all of them or none",
    description: "For a first filling: the answer only counts.",
    access: "developer",
    body: ContentImport,
    bodyLimit: 8 * megabyte,
    errors: [InvalidInput, NotFound],
    returns: created(imported),
    fault: "BULK_FAILED",
    run: ({ core, params, body }) => core.content.items.importAll(params.projectId, params.libraryId, body.items),
  }),
  route("PATCH", "/admin/projects/:projectId/content/items/:itemId", {
    id: "content.items.update",
    summary: "Changes an item; a new text, or a new `is_active`, makes it shown",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: ContentItemChanges,
    bodyLimit: 2 * megabyte,
    errors: [InvalidInput, NotFound],
    returns: ok(ContentItem),
    fault: "UPDATE_FAILED",
    run: ({ core, params, body }) => core.content.items.update(params.projectId, params.itemId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/content/items/:itemId", {
    id: "content.items.delete",
    summary: "Removes an item",
    description: "Cannot be undone. What was delivered is listed no more.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.content.items.remove(params.projectId, params.itemId),
  }),
]
