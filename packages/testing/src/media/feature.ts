import type { MediaControlDb, MediaDb } from "@hearth/core/media"
import type { ControlFeature, TenantFeature } from "../feature.ts"
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
    make: ({ statements }) => memoryMedia(statements),
  },
  control: {
    shapes: [projectFilesShape],
    make: ({ statements }) => memoryMediaControl(statements),
  },
}
