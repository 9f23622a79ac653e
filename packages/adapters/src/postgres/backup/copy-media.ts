import { type FileHandle, readdir } from "node:fs/promises"
import { join } from "node:path"
import { openUnlinked } from "../../system/open-file.ts"
import { BackupUnusable } from "./manifest.ts"
import { writeBackupFile } from "./write-file.ts"

/** Opens a file of media. Null where it was removed meanwhile, or is a link, which the service does not read either. */
const openMedia = async (path: string): Promise<FileHandle | null> => {
  const handle = await openUnlinked(path).catch((error: NodeJS.ErrnoException) => {
    throw new BackupUnusable(`The file ${path} cannot be read: ${error.code}.`)
  })
  if (handle === null || (await handle.stat()).isFile()) return handle
  await handle.close()
  throw new BackupUnusable(`${path} is no file, and only files of media belong there: move it elsewhere.`)
}

/** Copies the files of media of these projects into a folder, and lists them. Those that are removed meanwhile are left out. */
export const copyMedia = async (
  mediaFolder: string,
  ids: ReadonlyArray<string>,
  {
    target,
    signal,
    onBytes,
  }: { readonly target: string; readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
) => {
  const sums = { files: 0, bytes: 0 }
  async function* list(): AsyncGenerator<Buffer> {
    for (const id of ids) {
      const names = await readdir(join(mediaFolder, id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return []
        throw new BackupUnusable(`The folder ${join(mediaFolder, id)} cannot be read: ${error.code}.`)
      })
      for (const name of names) {
        const handle = await openMedia(join(mediaFolder, id, name))
        if (handle === null) continue
        const file = `media/${id}/${name}`
        const copied = await writeBackupFile(target, file, handle.createReadStream(), {
          compress: false,
          signal,
          onBytes,
        }).finally(() => handle.close())
        sums.files += 1
        sums.bytes += copied.bytes
        yield Buffer.from(`${JSON.stringify(copied)}\n`)
      }
    }
  }
  const written = await writeBackupFile(target, "media.ndjson", list(), { compress: false, signal })
  return { ...sums, list: written }
}
