import { join } from "node:path"
import { Effect } from "effect"
import { readOrCreateFile } from "../system/kept-file.ts"
import { generateSecretKey, InvalidSecretKeys, loadSecretKeys, type SecretKeys } from "./secret-keys.ts"

/** The name of the file in DATA_DIR that keeps the keys of an embedded service. */
export const secretKeyFile = "secrets-key"

/**
 * The keys kept in `secrets-key` of `dataDir`, made at the first call [H1.2]. The file has a key per line, the one that seals
 * first. Only the owner can read it. It appears complete or not at all, and two callers at once get the same keys.
 */
export const readOrCreateSecretKeys = (dataDir: string): Effect.Effect<SecretKeys, InvalidSecretKeys> =>
  Effect.promise(() => readOrCreateFile(dataDir, secretKeyFile, () => `${generateSecretKey()}\n`)).pipe(
    Effect.flatMap(loadSecretKeys),
    Effect.mapError(({ message }) => new InvalidSecretKeys({ message: `${join(dataDir, secretKeyFile)}: ${message}` })),
  )
