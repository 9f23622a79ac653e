import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"

/** Whether it was made; false where its parent is missing. What is there already is left as it is. */
const attempt = (path: string): Promise<boolean> =>
  mkdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return true
      if (error.code === "ENOENT") return false
      throw error
    },
  )

/**
 * Makes a folder and those above it that are missing. Rejects where that cannot be: Node's own `recursive` tries for ever where a
 * folder that is there refuses as if it were not, as `/proc` does.
 */
export const makeFolder = async (path: string): Promise<void> => {
  if (await attempt(path)) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path)
}
