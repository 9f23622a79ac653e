import { constants, existsSync } from "node:fs"
import { chmod, copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { codeOf } from "./failure.ts"

const copyInto = async (source: string, target: string): Promise<void> => {
  await mkdir(target)
  await chmod(target, 0o755)
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) await copyInto(from, to)
    else if (entry.isFile()) {
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      await chmod(to, (await stat(from)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

/**
 * Copies the folders and plain files of a tree so that every user can read them, finishes the draft and renames it
 * at once: the target is complete or absent, also when several processes make it. Leaves an existing target as it is.
 */
export const copyTree = async (source: string, target: string, finish: (draft: string) => void): Promise<void> => {
  if (existsSync(target)) return
  const draft = `${target}.${crypto.randomUUID()}`
  try {
    await copyInto(source, draft)
    finish(draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process has made the same copy first.
    if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(String(codeOf(error))) || !existsSync(target)) throw error
  }
}
