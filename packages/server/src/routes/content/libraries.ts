import { InvalidInput, NotFound } from "@hearth/core"
import {
  ContentLibrary,
  ContentLibraryChanges,
  CountedLibrary,
  NewContentLibrary,
  ScheduleDeleteFailed,
} from "@hearth/core/content"
import { paging } from "../../http/request/query.ts"
import { created, deleted, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec: admin plane, content; I1.1: libraries. */
export const libraryRoutes = [
  route("POST", "/admin/projects/:projectId/content/libraries", {
    id: "content.libraries.create",
    summary: "Makes a library, which is empty",
    description:
      "A library holds items of one kind: quotes, tips, lessons. `content_schema` is for your own tools and is kept as it is.",
    access: "developer",
    body: NewContentLibrary,
    errors: [InvalidInput],
    returns: created(ContentLibrary),
    run: ({ core, params, body }) => core.content.libraries.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/content/libraries", {
    id: "content.libraries.list",
    summary: "Lists the libraries with how many items each has, the oldest first",
    description: "`item_count` counts the items that are active.",
    access: "developer",
    query: paging(),
    returns: pageOf(CountedLibrary),
    run: ({ core, params, query }) => core.content.libraries.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/content/libraries/:libraryId", {
    id: "content.libraries.get",
    summary: "Shows a library",
    description: "Its items are listed by `content.items.list`.",
    access: "developer",
    errors: [NotFound],
    returns: ok(ContentLibrary),
    run: ({ core, params }) => core.content.libraries.get(params.projectId, params.libraryId),
  }),
  route("PATCH", "/admin/projects/:projectId/content/libraries/:libraryId", {
    id: "content.libraries.update",
    summary: "Changes a library",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: ContentLibraryChanges,
    errors: [InvalidInput, NotFound],
    returns: ok(ContentLibrary),
    run: ({ core, params, body }) => core.content.libraries.update(params.projectId, params.libraryId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/content/libraries/:libraryId", {
    id: "content.libraries.delete",
    summary: "Removes a library with its items and schedules",
    description: "It cannot be undone: schedules stop, and all texts are gone.",
    access: "developer",
    errors: [ScheduleDeleteFailed],
    returns: deleted,
    run: ({ core, params }) => core.content.libraries.remove(params.projectId, params.libraryId),
  }),
]
