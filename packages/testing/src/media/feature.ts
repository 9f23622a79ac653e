import type { MediaControlDb, MediaDb } from "@hearth/core/media"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import { mediaContract, mediaTables, projectFilesContract } from "./contract.ts"
import {
  assetShape,
  folderShape,
  memoryMedia,
  memoryMediaControl,
  projectFilesShape,
  removalShape,
  usageShape,
} from "./memory.ts"

/** Media in tests: tables and repositories in memory, contract suites. */
export const mediaFeature: TenantFeature<MediaDb> & ControlFeature<MediaControlDb> = {
  tenant: {
    shapes: [folderShape, assetShape, usageShape, removalShape],
    sections: { media_assets: assetShape },
    make: ({ statements }) => memoryMedia(statements),
    contracts: [...mediaTables, mediaContract],
  },
  control: {
    shapes: [projectFilesShape],
    make: ({ statements }) => memoryMediaControl(statements),
    contracts: [projectFilesContract],
  },
}
