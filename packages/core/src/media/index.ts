export {
  AlreadyUploaded,
  FileTooLarge,
  MediaAsset,
  MediaAssetRow,
  MediaFolder,
  MediaFolderRow,
  MediaRemoval,
  NewAsset,
  NewClientAsset,
  NewFolder,
  NewUpload,
  OtherMediaType,
  ProjectFiles,
  StorageUnavailable,
} from "./asset.ts"
export type { makeAssets } from "./assets.ts"
export { expectMediaWork, makeFilesJob } from "./files-job.ts"
export type { makeFolders } from "./folders.ts"
export { makeMedia } from "./media.ts"
export type {
  AssetFilter,
  MediaAssets,
  MediaControlDb,
  MediaDb,
  MediaFolders,
  MediaRemovals,
  MediaUsage,
} from "./port.ts"
export { makeProjectFiles } from "./project-files.ts"
export { makeMediaDeparture } from "./remove-files.ts"
export { defaultMediaLimits, type MediaLimits } from "./rules.ts"
export { mediaAssetsSection } from "./sections.ts"
export type {
  ByteRange,
  Bytes,
  LocalStorage,
  RemoteStorage,
  SizeBounds,
  Storage,
  Upload,
  WriteOutcome,
} from "./storage.ts"
export type { IncomingFile, makeUploads, ServedFile } from "./uploads.ts"
