import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { accountFor } from "./account.ts"
import { readPassword } from "./cluster.ts"
import { codeOf, explain } from "./failure.ts"
import { readPostmaster, serves } from "./postmaster.ts"
import { isAlive } from "./process-birth.ts"
import { makeAddress } from "./socket-folder.ts"
import { verify } from "./verify.ts"

/** The folder with the cluster of a data folder: in it, or where it points to. */
const findCluster = (dataDir: string): string => {
  const pointer = join(dataDir, "postgres-location")
  return join(existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : dataDir, "postgres")
}

/** Whether a data folder has a database. Throws an `EmbeddedDatabaseFailure` where another user's hides that. */
export const hasCluster = (dataDir: string): boolean => {
  try {
    const cluster = findCluster(dataDir)
    accountFor(cluster)
    return existsSync(join(cluster, "PG_VERSION"))
  } catch (error) {
    // Where a file is in place of the folder, or of one above it, there is no database.
    if (codeOf(error) === "ENOTDIR") return false
    throw explain(error, dataDir)
  }
}

/**
 * The address of a data folder's database while it runs, for another process than the one that has started it; null where it does
 * not run. Rejects where it runs and does not let us in.
 */
export const findRunningDatabase = async (dataDir: string): Promise<string | null> => {
  const cluster = findCluster(dataDir)
  const found = readPostmaster(cluster)
  if (found === undefined || !isAlive(found.pid) || serves(found.pid, cluster) === false) return null
  const password = readPassword(dataDir, { cluster })
  await verify(found, password)
  return makeAddress(found, password)
}
