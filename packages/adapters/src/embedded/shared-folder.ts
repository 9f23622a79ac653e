import { chmodSync, mkdirSync } from "node:fs"
import { type Account, mayReach } from "./account.ts"
import { codeOf } from "./failure.ts"

/** Root's folder for files that the unprivileged account must reach and cannot reach elsewhere. */
export const sharedFolder = "/var/lib/hearth"

/** Makes root's shared folder. False where it cannot be made or entered, as on a read-only system. */
export const openSharedFolder = (account: Account): boolean => {
  try {
    if (mkdirSync(sharedFolder, { recursive: true }) !== undefined) chmodSync(sharedFolder, 0o755)
    return mayReach(account, sharedFolder)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}
