import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"

/** Whether it is there now; false where its parent is missing. */
const attempt = (path: string, mode: number | undefined): Promise<boolean> =>
  mkdir(path, { mode }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return true
      if (error.code === "ENOENT") return false
      throw error
    },
  )

/**
 * Makes a folder and those above it that are missing; what is there is left as it is. Rejects where that cannot be: Node's own
 * `recursive` tries for ever where a folder that is there refuses as if it were not, as `/proc` does.
 */
export const makeFolder = async (path: string, mode?: number): Promise<void> => {
  if (await attempt(path, mode)) return
  if (dirname(path) !== path) await makeFolder(dirname(path), mode)
  // Another process may have made it meanwhile.
  await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
  })
}
