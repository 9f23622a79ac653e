import type { MediaControlDb, MediaDb } from "@hearth/core/media"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import { any, fields, instant, keepList, limit, orNull, slice, text, uuid } from "../memory/arguments.ts"
import {
  assetShape,
  folderShape,
  memoryMedia,
  memoryMediaControl,
  projectFilesShape,
  removalShape,
  usageShape,
} from "./memory.ts"

/** Media in tests: tables and repositories in memory. */
export const mediaFeature: TenantFeature<MediaDb> & ControlFeature<MediaControlDb> = {
  tenant: {
    shapes: [folderShape, assetShape, usageShape, removalShape],
    sections: { media_assets: assetShape },
    rules: {
      mediaAssets: {
        pageMatching: [fields({ folder_id: uuid, app_user_id: uuid }), slice],
        sumOf: [uuid],
        freeMillis: [text, any, text],
        due: [instant, limit],
        lockOf: [uuid, limit],
        lockAll: [keepList(uuid)],
        removeAll: [keepList(uuid)],
        move: [uuid, orNull(uuid)],
      },
      mediaFolders: { move: [uuid, orNull(uuid)] },
      mediaRemovals: { due: [instant, limit], removeAll: [keepList(uuid)], postpone: [keepList(uuid), instant] },
    },
    make: ({ statements }) => memoryMedia(statements),
  },
  control: {
    shapes: [projectFilesShape],
    rules: {
      projectFiles: { due: [instant, limit] },
    },
    make: ({ statements }) => memoryMediaControl(statements),
  },
}
