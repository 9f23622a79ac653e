import { join } from "node:path"
import { Effect } from "effect"
import { readOrCreateFile } from "../system/kept-file.ts"
import { generateTokenKeys, InvalidTokenKeys, loadTokenKeys, type TokenKeys } from "./token-keys.ts"

const FILE = "token-keys.json"

/**
 * The keys kept in `token-keys.json` of `dataDir`, made at the first call [F2]. Only the owner can read the file. It
 * appears complete or not at all, and when two callers make it at once both get the same keys.
 */
export const readOrCreateTokenKeys = (dataDir: string): Effect.Effect<TokenKeys, InvalidTokenKeys> =>
  Effect.promise(() => readOrCreateFile(dataDir, FILE, generateTokenKeys)).pipe(
    Effect.flatMap(loadTokenKeys),
    Effect.mapError(({ message }) => new InvalidTokenKeys({ message: `${join(dataDir, FILE)}: ${message}` })),
  )
