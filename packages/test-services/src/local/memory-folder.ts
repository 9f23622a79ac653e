import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isAlive } from "../processes.ts"

const tmpfsType = 0x01021994
const gibibyte = 1024 ** 3
// A whole run has used half of it.
const neededBytes = 8 * gibibyte

const isMemory = (place: string): boolean => {
  try {
    return statfsSync(place).type === tmpfsType
  } catch {
    return false
  }
}

/** Whether there is room in a folder, and twice as much memory. */
const hasRoom = (place: string): boolean => {
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize >= neededBytes && process.availableMemory() >= 2 * neededBytes
}

/** Whether programs that are in a folder can be run, and so those that tests install. */
const canRun = (folder: string): boolean => {
  const program = join(folder, "program")
  writeFileSync(program, "", { mode: 0o755 })
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}

/** Removes what runs have left that were killed: it takes memory until the machine is started anew. */
const removeLeft = (place: string, prefix: string) => {
  for (const name of readdirSync(place)) {
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (!name.startsWith(prefix) || isAlive(pid)) continue
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch {
      // It is of another user.
    }
  }
}

/**
 * Makes a folder in memory for the folders of tests; null where there is no room, or it is not Linux. Where the files of databases are on a
 * disk, a run takes up to twice as long: it makes and removes hundreds of thousands of them.
 */
export const makeMemoryFolder = (place = "/dev/shm"): string | null => {
  if (process.platform !== "linux" || !isMemory(place)) return null
  const prefix = "hearth-tests-"
  // Before it is asked for room, which they take.
  removeLeft(place, prefix)
  if (!hasRoom(place)) return null
  const folder = mkdtempSync(join(place, `${prefix}${process.pid}-`))
  if (!canRun(folder)) {
    rmSync(folder, { recursive: true })
    return null
  }
  // For every user, as the system's own folder for temporary files.
  chmodSync(folder, 0o1777)
  return folder
}
