import { createReadStream } from "node:fs"
import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import type pg from "pg"
import type { ConnectionSettings } from "../connections/connection.ts"
import { ConnectionLost, reasonOf } from "../connections/connection-lost.ts"
import { DatabaseBusy, readBusy } from "../connections/database-busy.ts"
import { tenantNameOf, tenantPrefix } from "../operations/settings.ts"
import { migrate, writeNote } from "../schema/migrate.ts"
import type { Schema } from "../schema/schema.ts"
import { tenantSchema } from "../schema/schemas.ts"
import { createEmpty, quoteIdentifier, withConnection } from "../schema/server.ts"
import { nameOwn } from "../schema/tenant-databases.ts"
import { openClient } from "./dump.ts"
import { loadDatabase } from "./load.ts"
import { BackupUnusable, listMedia, type Manifest } from "./manifest.ts"
import { type Stop, whileNotStopped } from "./stoppable.ts"

/** The data of a file of a backup, until it is stopped. */
export const readDump = (folder: string, file: string, { signal }: Stop): AsyncIterable<Buffer> =>
  // Errors of either stream end the other; the reader gets them.
  pipeline(createReadStream(join(folder, file), { signal }), createGunzip(), () => {})

/** Rejects where this release does not know a step of a saved database. */
export const refuseLater = (schema: Schema, steps: ReadonlyArray<string>, hearth: string): void => {
  const known = new Set(schema.steps.map(({ name }) => name))
  const unknown = steps.filter((step) => !known.has(step))
  if (unknown.length > 0)
    throw new BackupUnusable(
      `The backup is of Hearth ${hearth}, with steps of the schema that this release does not know (${unknown.join(", ")}): restore it with that release or a later one.`,
    )
}

/** A name for a database beside that of a project. It says whose it is: another installation on the server may restore the same project. */
export const besideName = (controlDatabase: string | undefined, what: "restoring" | "replaced", id: string): string =>
  `${nameOwn({ prefix: tenantPrefix, controlDatabase: controlDatabase ?? "" })}${what}_${id.replaceAll("-", "")}`

/** Whether a database is one that a restore of this installation drops at its end, and leaves where it is killed. */
export const isLeftByRestore = (controlDatabase: string, database: string): boolean =>
  (["restoring", "replaced"] as const).some((what) => database.startsWith(besideName(controlDatabase, what, "")))

/** Drops a database with what is connected to it. */
export const dropDatabase = async (client: pg.Client, name: string): Promise<void> => {
  await client.query(`drop database if exists ${quoteIdentifier(name)} with (force)`)
}

/** The projects of a control database, those included that are being made or removed; none where it has no tables yet. */
export const readProjectIds = async (client: pg.Client): Promise<ReadonlyArray<string>> => {
  const found = await client.query("select to_regclass('public.projects') is not null as exists")
  if (found.rows[0]?.exists !== true) return []
  return (await client.query<{ readonly id: string }>("select id from projects")).rows.map(({ id }) => id)
}

/** Rejects where the server has a database of one of these projects that is of no project here: another installation may use it. */
export const refuseForeign = async (client: pg.Client, ids: ReadonlyArray<string>): Promise<void> => {
  const known = new Set(await readProjectIds(client))
  const names = ids.filter((id) => !known.has(id)).map(tenantNameOf)
  const { rows } = await client.query<{ readonly name: string }>(
    "select datname as name from pg_database where datname = any($1) order by 1",
    [names],
  )
  if (rows.length === 0) return
  throw new BackupUnusable(
    `This PostgreSQL has the database ${rows[0]?.name}, which is of no project of ${client.database}: another installation may use it. Restore to another server, or give that database another name first.`,
  )
}

/**
 * Has a worker look at all jobs of a project, or of all projects, in the transaction that they come with. Their databases were saved after
 * the control database, so there may be work of which that was not told.
 */
export const expectWork = async (client: pg.Client, projectId: string | null): Promise<void> => {
  // The schema is that of the backup, which may be older.
  const { rows } = await client.query("select to_regclass('public.project_jobs') is not null as exists")
  if (rows[0]?.exists !== true) return
  await client.query(
    "update project_jobs set run_at = least(run_at, now()) where $1::uuid is null or project_id = $1",
    [projectId],
  )
}

/** A new database with what was saved, and the schema of this release. What it has of its own id is that of `newId`. */
export const loadProject = async (
  settings: ConnectionSettings,
  client: pg.Client,
  {
    folder,
    project,
    newId,
    stop,
  }: {
    readonly folder: string
    readonly project: Manifest["projects"][number]
    readonly newId: string
    readonly stop: Stop
  },
): Promise<string> => {
  const name = besideName(client.database, "restoring", newId)
  await dropDatabase(client, name)
  await withConnection(settings, client.database ?? "", (connection) => createEmpty(connection, name))
  const own = await openClient(settings.url, name)
  try {
    await loadDatabase(own, {
      schema: tenantSchema,
      steps: project.steps,
      source: readDump(folder, project.file, stop),
      stop,
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
    await whileNotStopped(own, stop, () => own.query("analyze"))
  } finally {
    await own.end()
  }
  const { note } = await withConnection(settings, name, (connection) => migrate(connection, tenantSchema))
  await withConnection(settings, client.database ?? "", (connection) => writeNote(connection, name, note))
  return name
}

const [freshPrefix, replacedPrefix] = [".restoring-", ".replaced-"]

const freshFolder = (mediaFolder: string, id: string) => join(mediaFolder, `${freshPrefix}${id}`)
const replacedFolder = (mediaFolder: string, id: string) => join(mediaFolder, `${replacedPrefix}${id}`)

const isMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== "ENOENT") throw error
}

/**
 * Removes the files that a restore has loaded or replaced. Where it was killed before its transaction had ended, what was loaded has still
 * another name: then the files that it has replaced are those of the project, and come back.
 */
const settleLeftFiles = async (mediaFolder: string, isLoaded: (id: string) => boolean): Promise<void> => {
  const folders = await readdir(mediaFolder).catch(() => [])
  for (const name of folders.filter((each) => each.startsWith(replacedPrefix))) {
    const id = name.slice(replacedPrefix.length)
    if (isLoaded(id)) {
      await rm(join(mediaFolder, id), { recursive: true, force: true })
      await rename(replacedFolder(mediaFolder, id), join(mediaFolder, id))
    } else await rm(replacedFolder(mediaFolder, id), { recursive: true, force: true })
  }
  for (const name of folders.filter((each) => each.startsWith(freshPrefix)))
    await rm(join(mediaFolder, name), { recursive: true, force: true })
}

/**
 * Removes what restores of this installation have left: the databases and folders that were loaded, and those that were replaced. The
 * databases are called so by the transaction that has put others in their place.
 */
const dropLeft = async (client: pg.Client, mediaFolder: string | null): Promise<void> => {
  const { rows } = await client.query<{ readonly name: string }>("select datname as name from pg_database")
  const names = new Set(rows.map(({ name }) => name))
  // Before the databases, by whose names it is told what they are.
  if (mediaFolder !== null)
    await settleLeftFiles(mediaFolder, (id) => names.has(besideName(client.database, "restoring", id)))
  for (const name of names) if (isLeftByRestore(client.database ?? "", name)) await dropDatabase(client, name)
}

/** What failed, for the operator: a full disk and a server that is gone by now are named. */
const explainFailure = (database: string, error: unknown, isThere: boolean): Error => {
  if (error instanceof ConnectionLost || error instanceof DatabaseBusy) return error
  const reason = reasonOf(error)
  return readBusy(database, error) ?? (isThere ? new Error(reason) : new ConnectionLost(database, reason))
}

/**
 * Loads and exchanges, one restore at a time on a control database. What an earlier one that was killed has left is removed before;
 * what this one has loaded, where it fails or is stopped.
 */
export const asOnlyRestore = async <A>(
  client: pg.Client,
  { url, mediaFolder }: { readonly url: URL; readonly mediaFolder: string | null },
  work: () => Promise<A>,
): Promise<A> => {
  // It is given back when the connection ends.
  const { rows } = await client.query("select pg_try_advisory_lock(hashtextextended('hearth restore', 0)) as is_alone")
  if (rows[0]?.is_alone !== true)
    throw new BackupUnusable("Another restore runs on this database: wait until it has ended.")
  await dropLeft(client, mediaFolder)
  try {
    return await work()
  } catch (error) {
    // The connection may be lost, which can be why it failed.
    const other = await openClient(url, client.database ?? "postgres").catch(() => null)
    const isClean = await (other === null ? Promise.reject(error) : dropLeft(other, mediaFolder)).then(
      () => true,
      () => false,
    )
    await other?.end().catch(() => {})
    if (isClean) throw error
    const { message } = explainFailure(client.database ?? "", error, other !== null)
    throw new BackupUnusable(
      `${message.replace(/\.$/, "")}. What was loaded is left in databases called ${besideName(client.database, "restoring", "")}…: the next restore removes them.`,
      { cause: error },
    )
  }
}

/** Copies the files of a project beside their place, and answers what puts them there, and what then removes those that were there. */
export const placeMedia = async (
  mediaFolder: string,
  {
    folder,
    manifest,
    from,
    to,
    stop,
  }: {
    readonly folder: string
    readonly manifest: Manifest
    readonly from: string
    readonly to: string
    readonly stop: Stop
  },
) => {
  const fresh = freshFolder(mediaFolder, to)
  const [old, place] = [replacedFolder(mediaFolder, to), join(mediaFolder, to)]
  await rm(fresh, { recursive: true, force: true })
  await rm(old, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  for await (const { file } of listMedia(folder, manifest, from)) {
    stop.signal.throwIfAborted()
    await copyFile(join(folder, file), join(fresh, basename(file)))
  }
  const undo: Array<() => Promise<void>> = []
  return {
    put: async () => {
      await rename(place, old).catch(isMissing)
      undo.unshift(() => rename(old, place).catch(isMissing))
      await rename(fresh, place)
      undo.unshift(() => rename(place, fresh))
    },
    /** What was there is there again, however far `put` came. */
    takeBack: async () => {
      for (const step of undo) await step()
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
