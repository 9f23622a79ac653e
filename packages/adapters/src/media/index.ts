export { type LocalFilesOptions, openLocalFiles } from "./local-files.ts"
export { type OpenStorage, openStorage, type StorageConfig } from "./open-storage.ts"
export { mediaSettings, storageSettings } from "./settings.ts"
export { parseStorageUrl, type S3Address, type StorageAddress } from "./storage-url.ts"
