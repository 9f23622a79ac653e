import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"

// Windows has neither. A pipe would be waited for.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

const isNone = (error: unknown) => ["ENOENT", "ELOOP"].includes(String((error as NodeJS.ErrnoException).code))

/** Opens what is at a path for reading. Null where nothing is there, or a link to something else. */
export const openUnlinked = (path: string): Promise<FileHandle | null> =>
  open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (isNone(error)) return null
    throw error
  })

/** Opens a file for reading. Null where there is none: nothing, a link, or something else than a file. */
export const openPlainFile = async (path: string): Promise<FileHandle | null> => {
  const handle = await openUnlinked(path)
  if (handle === null || (await handle.stat()).isFile()) return handle
  await handle.close()
  return null
}
