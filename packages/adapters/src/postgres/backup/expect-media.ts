import { readdir } from "node:fs/promises"
import { tenantNameOf } from "../operations/settings.ts"
import { openClient } from "./dump.ts"
import { BackupUnusable } from "./manifest.ts"

/** Whether a project has files that were sent. One that cannot be asked is reported where it is saved. */
const hasFiles = async (databaseUrl: string, projectId: string): Promise<boolean> => {
  const client = await openClient(new URL(databaseUrl), tenantNameOf(projectId)).catch(() => null)
  if (client === null) return false
  const asked = client.query("select from media_assets where status = 'uploaded' limit 1").catch(() => null)
  const answer = await asked.finally(() => client.end().catch(() => {}))
  return answer?.rowCount === 1
}

/**
 * Rejects with `BackupUnusable` where the folder of media is missing or empty, as one is whose disk is not there, and one of these
 * projects has files.
 */
export const expectMedia = async (
  databaseUrl: string,
  mediaFolder: string,
  projectIds: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<void> => {
  const names = await readdir(mediaFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw new BackupUnusable(`The folder ${mediaFolder} cannot be read: ${error.code}.`)
  })
  if (names !== null && names.length > 0) return
  for (const id of projectIds) {
    signal.throwIfAborted()
    if (await hasFiles(databaseUrl, id))
      throw new BackupUnusable(
        `The folder ${mediaFolder} is ${names === null ? "not there" : "empty"}, and project ${id} has files in it: mount it, or correct STORAGE_URL or DATA_DIR. Where its files are lost, put an empty folder .uploads into it.`,
      )
  }
}
