import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { startEmbeddedDatabase } from "./packages/adapters/src/embedded/index.ts"

let end: () => Promise<void> = async () => {}

/** One PostgreSQL for the whole run: the one that `DATABASE_URL` names, or our own in a folder that is thrown away. */
export const setup = async ({ provide }: TestProject): Promise<void> => {
  const { DATABASE_URL: given } = process.env
  if (given !== undefined) return provide("databaseUrl", given)

  const dataDir = mkdtempSync(join(tmpdir(), "hearth-test-"))
  const database = await startEmbeddedDatabase({ dataDir, durable: false })
  end = async () => {
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  provide("databaseUrl", database.url)
}

/** Ends the PostgreSQL that `setup` started. */
export const teardown = (): Promise<void> => end()
