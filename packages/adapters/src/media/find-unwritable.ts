import { access, constants, stat } from "node:fs/promises"
import { dirname } from "node:path"

/** Why nothing can be written in a folder that may not be there yet, as an error code; null where it can. Nothing is made. */
export const findUnwritable = async (folder: string): Promise<string | null> => {
  try {
    if (!(await stat(folder)).isDirectory()) return "ENOTDIR"
    await access(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    return code === "ENOENT" && dirname(folder) !== folder ? findUnwritable(dirname(folder)) : code
  }
}
