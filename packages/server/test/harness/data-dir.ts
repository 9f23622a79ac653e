import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { isAlive } from "@hearth/test-services"

/** A folder of its own that every user may enter, so that PostgreSQL's account gets in. */
export const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-process-"))
  chmodSync(folder, 0o755)
  return folder
}

/** The folder with the cluster of a data folder: the data folder itself, or the one that it points to. */
const homeOf = (dataDir: string): string => {
  const pointer = join(dataDir, "postgres-location")
  return existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : dataDir
}

const pidFileOf = (dataDir: string) => join(homeOf(dataDir), "postgres", "postmaster.pid")

/** The process that serves the data folder's database; null when none is named. */
export const postmasterOf = (dataDir: string): number | null => {
  const file = pidFileOf(dataDir)
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : null
}

/** The address of the data folder's database server while it runs. */
export const databaseUrlOf = (dataDir: string): string => {
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim()
  const port = readFileSync(pidFileOf(dataDir), "utf8").split("\n")[3]
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

/** Ends what still serves a folder's database, and removes the folder. */
export const removeFolder = async (folder: string): Promise<void> => {
  const pid = postmasterOf(folder)
  if (pid !== null && isAlive(pid)) process.kill(pid, "SIGQUIT")
  while (pid !== null && isAlive(pid)) await wait(10)
  const folders = new Set([homeOf(folder), folder])
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 10 })
}
