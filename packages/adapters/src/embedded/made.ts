import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import type { ClusterLocation } from "./cluster-location.ts"
import { isOwnerFile } from "./owner-lock.ts"

/** Removes again what a first start has made. */
export interface Made {
  /** The database and its files, where there was none before. Call as the owner, when PostgreSQL has ended. */
  removeDatabase(location: ClusterLocation): void
  /** The lock, and folders that were missing and are empty now. Call when the folder has been released. */
  removeFolders(): void
}

/** Notes which folders of a path are missing; the innermost comes first. */
export const findMissing = (path: string): ReadonlyArray<string> =>
  existsSync(path) || dirname(path) === path ? [] : [path, ...findMissing(dirname(path))]

/** Notes what is in a data folder before a start makes anything there. Call as the owner. */
export const noteFolder = (dataDir: string, missing: ReadonlyArray<string>): Made => {
  const before = new Set(readdirSync(dataDir))
  let isRemoved = false
  return {
    removeDatabase: ({ home }) => {
      // One that was there is the operator's, whatever it holds.
      if (before.has("postgres") || before.has("postgres-location")) return
      const made = readdirSync(dataDir).filter((name) => name.startsWith("postgres") && !before.has(name))
      for (const name of made) rmSync(join(dataDir, name), { recursive: true, force: true })
      if (home !== dataDir) rmSync(home, { recursive: true, force: true })
      isRemoved = true
    },
    removeFolders: () => {
      if (!isRemoved) return
      for (const name of readdirSync(dataDir).filter((each) => isOwnerFile(each) && before.has(each)))
        rmSync(join(dataDir, name), { force: true })
      try {
        for (const folder of missing) rmdirSync(folder)
      } catch {
        // Something else is in it by now.
      }
    },
  }
}
