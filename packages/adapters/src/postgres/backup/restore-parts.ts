import { createReadStream } from "node:fs"
import { copyFile, mkdir, rename, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import type pg from "pg"
import type { ConnectionSettings } from "../connections/connection.ts"
import { tenantPrefix } from "../operations/settings.ts"
import { migrate, writeNote } from "../schema/migrate.ts"
import type { Schema } from "../schema/schema.ts"
import { tenantSchema } from "../schema/schemas.ts"
import { createEmpty, quoteIdentifier, withConnection } from "../schema/server.ts"
import { openClient } from "./dump.ts"
import { loadDatabase } from "./load.ts"
import { BackupUnusable, listMedia, type Manifest } from "./manifest.ts"

/** The data of a file of a backup. */
export const readDump = (folder: string, file: string): AsyncIterable<Buffer> =>
  // Errors of either stream end the other; the reader gets them.
  pipeline(createReadStream(join(folder, file)), createGunzip(), () => {})

/** Rejects where this release does not know a step of a saved database. */
export const refuseLater = (schema: Schema, steps: ReadonlyArray<string>, hearth: string): void => {
  const known = new Set(schema.steps.map(({ name }) => name))
  const unknown = steps.filter((step) => !known.has(step))
  if (unknown.length > 0)
    throw new BackupUnusable(
      `The backup is of Hearth ${hearth}, with steps of the schema that this release does not know (${unknown.join(", ")}): restore it with that release or a later one.`,
    )
}

/** A name for a database beside that of a project. */
export const besideName = (what: "restoring" | "replaced", id: string): string =>
  `${tenantPrefix}${what}_${id.replaceAll("-", "")}`

/** Drops a database with what is connected to it. */
export const dropDatabase = async (client: pg.Client, name: string): Promise<void> => {
  await client.query(`drop database if exists ${quoteIdentifier(name)} with (force)`)
}

/** A new database with what was saved, and the schema of this release. What it has of its own id is that of `newId`. */
export const loadProject = async (
  settings: ConnectionSettings,
  client: pg.Client,
  {
    folder,
    project,
    newId,
  }: { readonly folder: string; readonly project: Manifest["projects"][number]; readonly newId: string },
): Promise<string> => {
  const name = besideName("restoring", newId)
  await dropDatabase(client, name)
  await withConnection(settings, client.database ?? "", (connection) => createEmpty(connection, name))
  const own = await openClient(settings.url, name)
  try {
    await loadDatabase(own, {
      schema: tenantSchema,
      steps: project.steps,
      source: readDump(folder, project.file),
      after: async () => {
        if (newId === project.id) return
        // A file is found by the project that it is of.
        for (const table of ["media_assets", "media_removals"])
          await own.query(`update ${table} set path = $1 || substr(path, 37) where path like $2 || '/%'`, [
            newId,
            project.id,
          ])
      },
    })
    await own.query("analyze")
  } finally {
    await own.end()
  }
  const { note } = await withConnection(settings, name, (connection) => migrate(connection, tenantSchema))
  await withConnection(settings, client.database ?? "", (connection) => writeNote(connection, name, note))
  return name
}

/** Copies the files of a project beside their place, and answers what puts them there, and what then removes those that were there. */
export const placeMedia = async (
  mediaFolder: string,
  {
    folder,
    manifest,
    from,
    to,
  }: { readonly folder: string; readonly manifest: Manifest; readonly from: string; readonly to: string },
) => {
  const [fresh, old, place] = [
    join(mediaFolder, `.restoring-${to}`),
    join(mediaFolder, `.replaced-${to}`),
    join(mediaFolder, to),
  ]
  await rm(fresh, { recursive: true, force: true })
  await rm(old, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  let files = 0
  for await (const { file } of listMedia(folder, manifest, from)) {
    await copyFile(join(folder, file), join(fresh, basename(file)))
    files += 1
  }
  const isMissing = (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
  }
  return {
    files,
    put: async () => {
      await rename(place, old).catch(isMissing)
      await rename(fresh, place)
    },
    removeOld: () => rm(old, { recursive: true, force: true }),
  }
}

/** Gives databases other names, in the transaction of `client`. What is connected to them is cut off. */
export const renameDatabase = async (client: pg.Client, from: string, to: string): Promise<void> => {
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [from],
  )
  await client.query(`alter database ${quoteIdentifier(from)} rename to ${quoteIdentifier(to)}`)
}
