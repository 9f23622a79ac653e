import { randomUUID } from "node:crypto"
import { link, open, readFile, unlink } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "./make-folder.ts"

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code

/** Writes beside the file and links it into place: a link, unlike a rename, never replaces what another process made. */
const create = async (file: string, text: string) => {
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, "wx", 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  } finally {
    await handle.close()
    await unlink(draft)
  }
}

/** The text of a file with keys; null where it is not there. Rejects with a sentence where a folder is in its place. */
export const readKeptFile = (file: string): Promise<string | null> =>
  readFile(file, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return null
    throw hasCode(error, "EISDIR") ? new Error(`${file} is a folder: put the file with the keys there.`) : error
  })

/**
 * The text of a file in `folder`, which `make` makes at the first call. Only the owner can read the file. It appears complete or
 * not at all, and when two callers make it at once both get the same text.
 */
export const readOrCreateFile = async (folder: string, name: string, make: () => string): Promise<string> => {
  const file = join(folder, name)
  const kept = await readKeptFile(file)
  if (kept !== null) return kept
  await makeFolder(folder)
  await create(file, make())
  return readFile(file, "utf8")
}
