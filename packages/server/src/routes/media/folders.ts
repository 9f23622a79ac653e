import { InvalidInput, Uuid } from "@hearth/core"
import { MediaFolder, NewFolder } from "@hearth/core/media"
import { Schema } from "effect"
import { paging } from "../../http/request/query.ts"
import { created, deleted, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec: admin plane, media: folders. */
export const mediaFolderRoutes = [
  route("POST", "/admin/projects/:projectId/media/folders", {
    id: "media.folders.create",
    summary: "Makes a folder, in another one where its id is given",
    description: "Folders are for people: addresses of files do not change with them.",
    access: "developer",
    body: NewFolder,
    errors: [InvalidInput],
    returns: created(MediaFolder),
    run: ({ core, params, body }) => core.media.folders.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/media/folders", {
    id: "media.folders.list",
    summary: "Lists the folders in a folder, or those in none, by name",
    description: "Without `parent_id` those at the top.",
    access: "developer",
    query: { ...paging(), parent_id: Schema.optionalKey(Uuid) },
    returns: pageOf(MediaFolder),
    run: ({ core, params, query: { parent_id = null, ...slice } }) =>
      core.media.folders.list(params.projectId, parent_id, slice),
  }),
  route("DELETE", "/admin/projects/:projectId/media/folders/:folderId", {
    id: "media.folders.delete",
    summary: "Removes a folder. What is in it goes to its parent",
    description: "No file is lost, and no address changes.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.media.folders.remove(params.projectId, params.folderId),
  }),
]
