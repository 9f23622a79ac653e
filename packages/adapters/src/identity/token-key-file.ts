import { randomUUID } from "node:crypto"
import { link, mkdir, open, readFile, unlink } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { generateTokenKeys, InvalidTokenKeys, loadTokenKeys, type TokenKeys } from "./token-keys.ts"

const FILE = "token-keys.json"

/**
 * The keys kept in `token-keys.json` of `dataDir`, made at the first call [F2]. Only the owner can read the file. It
 * appears complete or not at all, and when two callers make it at once both get the same keys.
 */
export const readOrCreateTokenKeys = (dataDir: string): Effect.Effect<TokenKeys, InvalidTokenKeys> => {
  const file = join(dataDir, FILE)
  return Effect.promise(() => readOrCreate(dataDir, file)).pipe(
    Effect.flatMap(loadTokenKeys),
    Effect.mapError(({ message }) => new InvalidTokenKeys({ message: `${file}: ${message}` })),
  )
}

const readOrCreate = async (dataDir: string, file: string): Promise<string> => {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
  }
  await mkdir(dataDir, { recursive: true })
  await create(file)
  return readFile(file, "utf8")
}

/** Writes beside the file and links it into place: a link, unlike a rename, never replaces what another process made. */
const create = async (file: string) => {
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, "wx", 0o600)
  try {
    await handle.writeFile(generateTokenKeys())
    await handle.sync()
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  } finally {
    await handle.close()
    await unlink(draft)
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code
