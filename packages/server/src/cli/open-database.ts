import { findRunningDatabase, hasCluster, startEmbeddedDatabase } from "@hearth/adapters"
import type { ServerConfig } from "../config.ts"

/** The database of the service, for a command. */
export interface CommandDatabase {
  readonly url: string
  /** Whether a service, or another program, runs on it now: false only where this command has started it. */
  readonly isShared: boolean
  /** Stops what was started for the command. */
  close(): Promise<void>
  /** Stops what was started for the command, and removes what was made for it. */
  discard(): Promise<void>
}

/**
 * The database that the settings name: that of DATABASE_URL; else the one in DATA_DIR, of a service that runs there, or started for
 * this command. Null where DATA_DIR has none and `mayCreate` is false.
 */
export const openDatabase = async (
  { databaseUrl, dataDir }: Pick<ServerConfig, "databaseUrl" | "dataDir">,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<CommandDatabase | null> => {
  const share = (url: string) => ({ url, isShared: true, close: async () => {}, discard: async () => {} })
  if (databaseUrl !== null) return share(databaseUrl)
  const running = await findRunningDatabase(dataDir)
  if (running !== null) return share(running)
  if (!mayCreate && !hasCluster(dataDir)) return null
  const { url, stop, discard } = await startEmbeddedDatabase({ dataDir })
  return { url, isShared: false, close: stop, discard }
}
