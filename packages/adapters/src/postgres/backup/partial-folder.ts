import { access, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isOwnerFile, type Ownership, takeOwnership } from "../../embedded/owner-lock.ts"
import { makeFolder } from "../../system/make-folder.ts"
import { BackupUnusable } from "./manifest.ts"

/** The folder that a backup is written to, which has its name when it is complete. No other backup writes to it. */
export interface PartialFolder {
  /** Gives it its name. Rejects with `BackupUnusable` where something has that name by now. */
  finish(): Promise<void>
  /** Removes it, where it is not finished. */
  remove(): Promise<void>
  /** Lets others have it. To be called in the end. */
  release(): void
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const isThereAlready = (folder: string) => new BackupUnusable(`${folder} is there already: name another folder.`)

// Disks without hard links, as of some cameras and shares, have no lock.
const noLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])

const lock = async (folder: string, partial: string): Promise<Ownership> => {
  const refuse = (_: string, holder: string) =>
    new BackupUnusable(
      `Another backup to ${folder} is under way (${holder}): wait until it has ended, or name another folder.`,
    )
  return takeOwnership(partial, refuse).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === "link" && noLinks.has(error.code ?? "")) return { release: () => {} }
    throw error
  })
}

const isTaken = ({ code = "" }: NodeJS.ErrnoException) => ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code)

const removeFiles = async (folder: string, isMeant: (name: string) => boolean) => {
  for (const name of (await readdir(folder)).filter(isMeant))
    await rm(join(folder, name), { recursive: true, force: true })
}

/** Removes a folder with its lock; not where another backup has taken it as soon as the lock was gone. */
const removeFolder = async (folder: string) => {
  const isPassing = ({ code = "" }: NodeJS.ErrnoException) => ["ENOENT", "ENOTEMPTY", "EEXIST"].includes(code)
  try {
    await removeFiles(folder, (name) => !isOwnerFile(name))
    await removeFiles(folder, isOwnerFile)
    await rmdir(folder)
  } catch (error) {
    if (!isPassing(error as NodeJS.ErrnoException)) throw error
  }
}

/**
 * Makes the folder for a backup, empty: what one that was killed has left in it is removed. Rejects with `BackupUnusable` where `folder` is
 * there, where another backup to it is under way, and where it cannot be made.
 */
export const makePartialFolder = async (folder: string): Promise<PartialFolder> => {
  const partial = `${folder}.partial`
  if (await isThere(folder)) throw isThereAlready(folder)
  const make = async () => {
    await makeFolder(dirname(folder))
    await mkdir(partial, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
    const ownership = await lock(folder, partial)
    try {
      await removeFiles(partial, (name) => !isOwnerFile(name))
      return ownership
    } catch (error) {
      ownership.release()
      throw error
    }
  }
  const { release } = await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error instanceof BackupUnusable) throw error
    // Another backup may have been finished meanwhile.
    if (await isThere(folder)) throw isThereAlready(folder)
    throw new BackupUnusable(`The folder ${folder} cannot be made: ${error.code}.`)
  })
  return {
    finish: async () => {
      await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
        throw isTaken(error) ? isThereAlready(folder) : error
      })
      await removeFiles(folder, isOwnerFile)
    },
    remove: () => removeFolder(partial),
    release,
  }
}
