import { InvalidInput, InvalidToken, ListCursor, NotFound, QuotaExceeded, RateLimitExceeded, Uuid } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import { MediaAsset, NewAsset, NewClientAsset, NewUpload, StorageUnavailable } from "@hearth/core/media"
import { Schema } from "effect"
import { paging, readsOn } from "../../http/request/query.ts"
import { deleted, json, listPageOf, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec: admin plane, media. */
const adminAssets = [
  route("POST", "/admin/projects/:projectId/media", {
    id: "media.create",
    summary: "Adds a file, and answers where it is sent with PUT",
    description: "Then send the bytes with PUT to `upload_url` within 15 minutes, and call `media.complete`.",
    access: "developer",
    body: NewAsset,
    errors: [InvalidInput, QuotaExceeded, StorageUnavailable],
    returns: json(NewUpload, 201),
    run: ({ core, params, body, origin }) => core.media.create(params.projectId, body, origin),
  }),
  route("GET", "/admin/projects/:projectId/media", {
    id: "media.list",
    summary: "Lists the files, the newest first",
    description:
      "Narrow the list with `folder_id`. Files that wait for their bytes are in it as `pending`. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), folder_id: Schema.optionalKey(Uuid), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(MediaAsset, ListCursor),
    run: ({ core, params, query: { limit, offset, cursor, ...filter }, origin }) =>
      core.media.list(params.projectId, filter, { limit, offset, cursor }, origin),
  }),
  route("POST", "/admin/projects/:projectId/media/:assetId/complete", {
    id: "media.complete",
    summary: "Asks the storage whether the file is there: then it is uploaded",
    description: "A file whose bytes never come is removed after 24 hours.",
    access: "developer",
    errors: [NotFound, StorageUnavailable],
    returns: ok(MediaAsset),
    run: ({ core, params, origin }) => core.media.complete(params.projectId, params.assetId, origin),
  }),
  route("DELETE", "/admin/projects/:projectId/media/:assetId", {
    id: "media.delete",
    summary: "Removes a file",
    description: "The bytes go with it: its address answers 404.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.media.remove(params.projectId, params.assetId),
  }),
]

/** Decisions I7.3: the files of the caller. */
const ownAssets = [
  route("POST", "/client/media", {
    id: "client.media.create",
    summary: "Adds an image, a video or a sound of the caller, and answers where it is sent with PUT",
    description: "Then send the bytes with PUT to `upload_url` within 15 minutes, and call `client.media.complete`.",
    access: "client",
    body: NewClientAsset,
    errors: [InvalidInput, InvalidToken, QuotaExceeded, RateLimitExceeded, StorageUnavailable],
    returns: json(NewUpload, 201),
    run: ({ core, caller, body, origin }) => core.media.createOwn(caller.project_id, caller.user_id, body, origin),
  }),
  route("GET", "/client/media", {
    id: "client.media.list",
    summary: "Lists the caller's files, the newest first",
    description: "Also those that wait for their bytes.",
    access: "client",
    query: paging(),
    returns: pageOf(MediaAsset),
    run: ({ core, caller, query, origin }) =>
      core.media.list(caller.project_id, { app_user_id: caller.user_id }, query, origin),
  }),
  route("POST", "/client/media/:assetId/complete", {
    id: "client.media.complete",
    summary: "Asks the storage whether the caller's file is there: then it is uploaded",
    description: "A file whose bytes never come is removed after 24 hours.",
    access: "client",
    errors: [NotFound, StorageUnavailable],
    returns: ok(MediaAsset),
    run: ({ core, caller, params, origin }) =>
      core.media.completeOwn(caller.project_id, caller.user_id, params.assetId, origin),
  }),
  route("DELETE", "/client/media/:assetId", {
    id: "client.media.delete",
    summary: "Removes a file of the caller",
    description: "The bytes go with it: its address answers 404.",
    access: "client",
    errors: [NotFound],
    returns: deleted,
    run: ({ core, caller, params }) => core.media.removeOwn(caller.project_id, caller.user_id, params.assetId),
  }),
]

/** Files. */
export const mediaAssetRoutes = [...adminAssets, ...ownAssets]
