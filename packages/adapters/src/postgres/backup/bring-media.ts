import { basename, join } from "node:path"
import { Effect } from "effect"
import { namesOnDisk, type OpenS3 } from "../../media/index.ts"
import type { ConnectionSettings } from "../connections/connection.ts"
import { openClient } from "./dump.ts"
import { BackupUnusable, listMedia, type Manifest } from "./manifest.ts"
import { placeMedia } from "./restore-parts.ts"
import { type Stop, whileNotStopped } from "./stoppable.ts"

/** Where the files of a restored project go: to a folder, or into a bucket. */
export interface MediaTarget {
  /** The folder of all files; null where they are in a bucket. */
  readonly mediaFolder: string | null
  /** The bucket of the service; where there is neither, files stay in the backup. */
  readonly bucket?: OpenS3 | null
}

/** The project of a backup whose files are brought, and its id here. */
interface ProjectFiles {
  readonly folder: string
  readonly manifest: Manifest
  /** The database that it was loaded to. */
  readonly database: string
  readonly from: string
  readonly to: string
  readonly stop: Stop
}

/** The files that a project has here, by the names that a backup may have of them. */
const readAssets = async (settings: ConnectionSettings, { database, stop }: ProjectFiles) => {
  const own = await openClient(settings.url, database)
  try {
    const { rows } = await whileNotStopped(own, stop, () =>
      own.query<{ readonly path: string; readonly mime_type: string }>("select path, mime_type from media_assets"),
    )
    return new Map(rows.flatMap((row) => namesOnDisk(row.path).map((name) => [name, row] as const)))
  } finally {
    await own.end()
  }
}

/** Puts the files of a loaded project into the bucket, at the paths of its rows: a file without a row is nobody's. */
const sendMedia = async (bucket: OpenS3, settings: ConnectionSettings, files: ProjectFiles) => {
  const { folder, manifest, from, to, stop } = files
  const assets = await readAssets(settings, files)
  // A project with the id of the backup may have had them there before.
  const takeBack = async () => {
    if (to !== from) await Effect.runPromise(Effect.ignore(bucket.storage.removeProject(to)))
  }
  try {
    for await (const { file, bytes } of listMedia(folder, manifest, from)) {
      stop.signal.throwIfAborted()
      const asset = assets.get(basename(file))
      if (asset === undefined) continue
      const sent = { file: join(folder, file), mime_type: asset.mime_type, size_bytes: bytes }
      await bucket.send(asset.path, sent, stop.signal)
    }
  } catch (error) {
    await takeBack()
    stop.signal.throwIfAborted()
    throw new BackupUnusable(
      `The files of media cannot be put into the bucket of STORAGE_URL: ${error instanceof Error ? error.message || error.name : error}`,
      { cause: error },
    )
  }
  return { put: async () => {}, takeBack, removeOld: async () => {} }
}

/**
 * Brings the files of a project that was loaded to where the service keeps them, and answers what puts them in their place; null where
 * the backup has none, or there is no place for them.
 */
export const bringMedia = (
  { mediaFolder, bucket = null }: MediaTarget,
  settings: ConnectionSettings,
  files: ProjectFiles,
): Promise<Awaited<ReturnType<typeof placeMedia>> | null> => {
  if (files.manifest.media === null) return Promise.resolve(null)
  if (mediaFolder !== null) return placeMedia(mediaFolder, files)
  return bucket === null ? Promise.resolve(null) : sendMedia(bucket, settings, files)
}
