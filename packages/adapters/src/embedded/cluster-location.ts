import { createHash } from "node:crypto"
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Account, accountFor, mayReach } from "./account.ts"
import { EmbeddedDatabaseFailure } from "./failure.ts"
import { openSharedFolder, sharedFolder } from "./shared-folder.ts"
import { writeAtomically } from "./write-atomically.ts"

/** Where a data folder's cluster is, and who runs it. */
export interface ClusterLocation {
  /** The folder around the cluster: the data folder itself, unless the account cannot enter that. */
  readonly home: string
  readonly cluster: string
  readonly account: Account | undefined
  readonly notes: ReadonlyArray<string>
}

const at = (home: string): ClusterLocation => {
  const cluster = join(home, "postgres")
  return { home, cluster, account: accountFor(cluster), notes: [] }
}

const locateElsewhere = (dataDir: string, home: string): ClusterLocation => {
  if (!existsSync(home)) {
    throw new EmbeddedDatabaseFailure(
      `The database of ${dataDir} was kept in ${home}, which is gone; put it back, or remove ${dataDir} to begin with an empty one.`,
    )
  }
  const location = at(home)
  const note = `The database of ${dataDir} is kept in ${location.cluster}, because PostgreSQL does not run as root and the account that runs it (uid ${location.account?.uid}) may not enter ${dataDir}.`
  return { ...location, notes: [note] }
}

const refuseUnreachable = (dataDir: string, { cluster, account }: ClusterLocation): never => {
  throw new EmbeddedDatabaseFailure(
    `The database in ${cluster} cannot be entered by the account that runs PostgreSQL (uid ${account?.uid}); let other users enter the folders above it, or set DATA_DIR to a folder other than ${dataDir}.`,
  )
}

/**
 * Lets the account enter (not list) a data folder that is closed to others, as container volumes and new folders
 * under a strict umask are: its data should stay on that volume. Secret files in it have modes of their own.
 */
const allowEntry = (account: Account | undefined, dataDir: string): void => {
  const { uid, mode } = statSync(dataDir)
  if (account && uid === 0 && !mayReach(account, dataDir) && mayReach(account, dirname(dataDir))) {
    chmodSync(dataDir, mode | 0o011)
  }
}

/**
 * The location of a data folder's cluster, chosen once and then kept: a file in the data folder names one elsewhere,
 * so that the data follows the folder when it is moved, and a removed folder means a new database. Call as the owner.
 */
export const locateCluster = (dataDir: string): ClusterLocation => {
  const pointer = join(dataDir, "postgres-location")
  if (existsSync(pointer)) return locateElsewhere(dataDir, readFileSync(pointer, "utf8").trim())
  const inside = at(dataDir)
  allowEntry(inside.account, dataDir)
  if (mayReach(inside.account, dataDir)) return inside
  if (existsSync(inside.cluster) || !inside.account || !openSharedFolder(inside.account)) {
    return refuseUnreachable(dataDir, inside)
  }
  const key = createHash("sha256").update(dataDir).digest("hex").slice(0, 12)
  const home = mkdtempSync(join(sharedFolder, `${key}-`))
  chmodSync(home, 0o755)
  writeAtomically(pointer, `${home}\n`)
  return locateElsewhere(dataDir, home)
}
