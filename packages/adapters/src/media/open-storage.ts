import { join } from "node:path"
import type { Storage } from "@hearth/core/media"
import type { Log } from "../system/log.ts"
import { openLocalFiles } from "./local-files.ts"
import type { OpenS3 } from "./s3.ts"
import { parseStorageUrl } from "./storage-url.ts"

/** Where files are kept. */
export interface StorageConfig {
  /** STORAGE_URL; null is the folder `media` in `dataDir`. */
  readonly url: string | null
  readonly dataDir: string
  /** Whether files come through this process: it makes the folder, which others only use. */
  readonly servesFiles: boolean
  /** Whether this is the only process with that folder: where the service is embedded. */
  readonly isOnlyProcess: boolean
}

/** The storage of a process. */
export interface OpenStorage {
  readonly storage: Storage
  close(): void
}

/** Opens the storage that is configured. The SDK of S3 is loaded only where it is needed. */
export const openStorage = async (
  { url, dataDir, servesFiles, isOnlyProcess }: StorageConfig,
  log: Log,
): Promise<OpenStorage> => {
  // A cause may name a file, but no key: the SDK does not put these into its errors.
  const onFault = (cause: unknown) => log("warn", "storage failed", { cause: String(cause) })
  const address = url === null ? null : parseStorageUrl(url)
  if (address?.kind === "s3") {
    const { openS3 } = await import("./s3.ts")
    return openS3(address, onFault)
  }
  const folder = address?.folder ?? join(dataDir, "media")
  // The folder is made with the first file: without this line its sender would be the first to hear of it.
  const onUnwritable = (reason: string) =>
    log(
      "warn",
      `No file can be sent: ${folder} cannot be written (${reason}). Let this user write it, or name another place in STORAGE_URL.`,
    )
  const storage = await openLocalFiles({ folder, makesFolder: servesFiles, isOnlyProcess, onFault, onUnwritable })
  return { storage, close: () => {} }
}

/** Opens the bucket of STORAGE_URL for files that are put there by a command; null where files are in a folder. */
export const openBucket = async (url: string | null): Promise<OpenS3 | null> => {
  const address = url === null ? null : parseStorageUrl(url)
  if (address?.kind !== "s3") return null
  const { openS3 } = await import("./s3.ts")
  return openS3(address, () => {})
}
