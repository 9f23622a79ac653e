import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startEmbeddedDatabase } from "@hearth/adapters"
import type { StartedPostgres } from "../find-services.ts"

/** Starts the embedded PostgreSQL in a temporary folder. */
export const startLocalPostgres = async (): Promise<StartedPostgres> => {
  const dataDir = mkdtempSync(join(tmpdir(), "hearth-test-"))
  const database = await startEmbeddedDatabase({ dataDir, durable: false, maxConnections: 400 })
  return {
    // Proxies are put in its place.
    url: database.tcpUrl,
    stop: async () => {
      await database.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
