import { realpathSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import { codeOf, WrongUserFailure } from "./failure.ts"

/** The account that PostgreSQL runs as when this process is root, because PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** "nobody" on nearly every system. */
const nobody: Account = { uid: 65534, gid: 65534 }

/**
 * The account that runs PostgreSQL: undefined (ourselves) for an ordinary user; for root the owner of the cluster, so
 * that a service once started with sudo does not lock its user out, and "nobody" for a new cluster.
 */
export const accountFor = (cluster: string): Account | undefined => {
  if (!process.getuid || !process.geteuid) return undefined
  const owner = ownerOf(cluster)
  if (process.geteuid() === 0) return owner && owner.uid !== 0 ? owner : nobody
  if (owner && owner.uid !== process.geteuid()) {
    throw new WrongUserFailure(
      `The database in ${cluster} belongs to another user (uid ${owner.uid}); start as that user or as root, or set DATA_DIR to another folder.`,
    )
  }
  return undefined
}

const ownerOf = (path: string): Account | undefined => {
  try {
    const { uid, gid } = statSync(path)
    return { uid, gid }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

const enter = 1
/** To read and to enter or execute. */
export const readAndEnter = 5

const allows = ({ mode, uid, gid }: Stats, account: Account, wanted: number): boolean => {
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & wanted) === wanted
}

/** Whether the account may enter every folder above the path, and has the wanted bits on the path itself. */
export const mayReach = (account: Account | undefined, path: string, wanted: number = enter): boolean => {
  if (!account) return true
  let at = realpathSync(path)
  if (!allows(statSync(at), account, wanted)) return false
  while (dirname(at) !== at) {
    at = dirname(at)
    if (!allows(statSync(at), account, enter)) return false
  }
  return true
}
