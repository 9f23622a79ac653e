import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startEmbeddedDatabase } from "../../embedded/index.ts"
import { describeMissingSteps } from "./missing-step.ts"
import { controlSchema, tenantSchema } from "./schemas.ts"

const [name = ""] = process.argv.slice(2)
if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  console.error("Usage: pnpm migration <name>, such as `pnpm migration add-feeds`.")
  process.exit(1)
}

/** Runs `work` with the address of a server: the one that `DATABASE_URL` names, or an embedded one that is then stopped. */
const withServer = async <A>(work: (databaseUrl: string) => Promise<A>): Promise<A> => {
  const { DATABASE_URL: given } = process.env
  if (given !== undefined) return work(given)
  const dataDir = mkdtempSync(join(tmpdir(), "hearth-migration-"))
  try {
    const database = await startEmbeddedDatabase({ dataDir, durable: false })
    try {
      return await work(database.url)
    } finally {
      await database.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const schemas = { "the database of a project": tenantSchema, "the control database": controlSchema }
process.stdout.write(await withServer((databaseUrl) => describeMissingSteps(databaseUrl, name, schemas)))
