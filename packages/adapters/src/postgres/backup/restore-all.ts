import pg from "pg"
import { controlNameOf, operatorSettings, tenantNameOf } from "../operations/settings.ts"
import { ensureControlDatabase, migrateControl } from "../schema/control-database.ts"
import { controlSchema, tenantSchema } from "../schema/schemas.ts"
import { readSqlState } from "../schema/server.ts"
import { bringMedia, type MediaTarget } from "./bring-media.ts"
import { commitSurely, isOutcomeUnknown, orAnother } from "./commit.ts"
import { openClient } from "./dump.ts"
import { loadDatabase } from "./load.ts"
import { BackupUnusable, checkBackup, type Manifest, readManifest } from "./manifest.ts"
import {
  asOnlyRestore,
  besideName,
  dropDatabase,
  expectWork,
  loadProject,
  type placeMedia,
  readDump,
  readProjectIds,
  refuseForeign,
  refuseLater,
  renameDatabase,
} from "./restore-parts.ts"
import { never, type Stop, whileNotStopped } from "./stoppable.ts"

/** What is restored, and where to. */
export interface RestoreOptions extends MediaTarget {
  readonly databaseUrl: string
  readonly folder: string
  /** Whether what is there may be replaced. */
  readonly overwrite: boolean
  /** Ends it when it is aborted before anything is exchanged; never, where left out. */
  readonly signal?: AbortSignal
  readonly onProgress?: (what: string, done: number, total: number) => void
}

/** Checks a backup for this release before anything is touched. */
export const checkForRestore = async (options: RestoreOptions, projectId: string | null): Promise<Manifest> => {
  const { folder, signal = never, onProgress = () => {} } = options
  const manifest = await readManifest(folder)
  const wanted = manifest.projects.filter(({ id }) => projectId === null || id === projectId)
  refuseLater(controlSchema, manifest.control.steps, manifest.hearth)
  for (const { steps } of wanted) refuseLater(tenantSchema, steps, manifest.hearth)
  const total = wanted.length + 1 + (manifest.media?.files ?? 0)
  let checked = 0
  await checkBackup(folder, manifest, projectId, {
    signal,
    onFile: () => {
      checked += 1
      onProgress("checked", checked, Math.max(total, checked))
    },
  })
  return manifest
}

/** Servers, workers and what else works on the control database. */
const refuseOthers = async (client: pg.Client) => {
  const { rows } = await client.query<{ readonly name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and starts_with(application_name, 'hearth')
       and application_name <> 'hearth operator'`,
  )
  if (rows.length > 0) throw new BackupUnusable("Servers or workers run on this database: stop them first.")
}

const countProjects = async (client: pg.Client): Promise<number> => {
  const found = await client.query("select to_regclass('public.projects') is not null as exists")
  if (found.rows[0]?.exists !== true) return 0
  const { rows } = await client.query(
    "select (select count(*) from projects)::int + (select count(*) from developers)::int as count",
  )
  return rows[0]?.count ?? 0
}

/** Whether a PostgreSQL holds no project and no developer of the service; false where it does not tell. */
export const isUnused = async (databaseUrl: string): Promise<boolean> => {
  try {
    const client = await openClient(new URL(databaseUrl), controlNameOf(databaseUrl))
    return (await countProjects(client).finally(() => client.end())) === 0
  } catch (error) {
    return readSqlState(error) === "3D000"
  }
}

/** Empties the control database: the tables and functions of its schema, and the queue, which workers make again. */
const dropControl = async (client: pg.Client) => {
  const { rows: tables } = await client.query("select tablename as name from pg_tables where schemaname = 'public'")
  for (const { name } of tables) await client.query(`drop table ${pg.escapeIdentifier(name)} cascade`)
  const { rows: functions } = await client.query(
    `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace
     and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  for (const { name } of functions) await client.query(`drop function ${name} cascade`)
  await client.query("drop schema if exists bullmq cascade")
}

/** Those of the projects that have a database on the server. */
const withDatabase = async (client: pg.Client, ids: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ readonly name: string }>(
    "select datname as name from pg_database where datname = any($1::text[])",
    [ids.map(tenantNameOf)],
  )
  const names = new Set(rows.map(({ name }) => name))
  return ids.filter((id) => names.has(tenantNameOf(id)))
}

/** Exchanges the databases of the projects that were here by those that were loaded. Others on the server are another's. */
const swapDatabases = async (
  client: pg.Client,
  present: ReadonlyArray<string>,
  ids: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ readonly name: string }>("select datname as name from pg_database")
  const replaced: Array<string> = []
  const own = new Set(present.map(tenantNameOf))
  for (const { name } of rows.filter((row) => own.has(row.name))) {
    const other = besideName(client.database, "replaced", name.slice(-32))
    await renameDatabase(client, name, other)
    replaced.push(other)
  }
  for (const id of ids) await renameDatabase(client, besideName(client.database, "restoring", id), tenantNameOf(id))
  return replaced
}

type PlacedMedia = Awaited<ReturnType<typeof placeMedia>>

/** The databases and the files of all projects, beside those that are there. Answers the files. */
const loadProjects = async (
  client: pg.Client,
  manifest: Manifest,
  options: RestoreOptions,
  stop: Stop,
): Promise<ReadonlyArray<PlacedMedia>> => {
  const { databaseUrl, folder, onProgress = () => {} } = options
  const settings = operatorSettings(databaseUrl)
  const media: Array<PlacedMedia> = []
  for (const [at, project] of manifest.projects.entries()) {
    onProgress(project.name, at, manifest.projects.length)
    stop.signal.throwIfAborted()
    const database = await loadProject(settings, client, { folder, project, newId: project.id, stop })
    const files = { folder, manifest, database, from: project.id, to: project.id, stop }
    const placed = await bringMedia(options, settings, files)
    if (placed !== null) media.push(placed)
  }
  onProgress("control", manifest.projects.length, manifest.projects.length)
  return media
}

/** Has the files of projects that are gone removed by a worker, in the transaction that these go in. */
const noteFiles = async (client: pg.Client, gone: ReadonlyArray<string>) => {
  // The schema is that of the backup, which may be older.
  const { rows } = await client.query("select to_regclass('public.project_files') is not null as exists")
  if (rows[0]?.exists !== true) return
  await client.query(
    `insert into project_files (id, due_at, last_at) select id, now(), now() from unnest($1::uuid[]) as t (id)
     on conflict (id) do nothing`,
    [gone],
  )
}

interface Exchanged {
  /** The databases that were replaced. */
  readonly replaced: ReadonlyArray<string>
  /** The projects that were here and are not in the backup. */
  readonly removed: ReadonlyArray<string>
  /** The projects that could not be saved and are here: they stay as they are. */
  readonly kept: ReadonlyArray<string>
}

/** Loads the control database, and exchanges everything with it. */
const exchange = async (
  client: pg.Client,
  manifest: Manifest,
  {
    databaseUrl,
    folder,
    mediaFolder,
    media,
    stop,
  }: Pick<RestoreOptions, "databaseUrl" | "folder" | "mediaFolder"> & {
    readonly media: ReadonlyArray<PlacedMedia>
    readonly stop: Stop
  },
): Promise<Exchanged> => {
  let replaced: ReadonlyArray<string> = []
  let removed: ReadonlyArray<string> = []
  let present: ReadonlyArray<string> = []
  let kept: ReadonlyArray<string> = []
  try {
    await loadDatabase(client, {
      schema: controlSchema,
      steps: manifest.control.steps,
      source: readDump(folder, manifest.control.file, stop),
      stop,
      before: async () => {
        present = await readProjectIds(client)
        await dropControl(client)
      },
      after: async () => {
        const ids = manifest.projects.map(({ id }) => id)
        const failed = new Set(manifest.failed?.map(({ id }) => id))
        const others = present.filter((id) => !failed.has(id))
        kept = await withDatabase(
          client,
          present.filter((id) => failed.has(id)),
        )
        await client.query("delete from projects where is_ready and id <> all($1::uuid[])", [[...ids, ...kept]])
        replaced = await swapDatabases(client, others, ids)
        const left = new Set(await readProjectIds(client))
        removed = present.filter((id) => !left.has(id))
        // No backup has what is in a bucket: there it stays.
        if (mediaFolder !== null) await noteFiles(client, removed)
        await expectWork(client, null)
        for (const each of media) await each.put()
      },
      commit: () => commitSurely(client, operatorSettings(databaseUrl)),
    })
  } catch (error) {
    // Otherwise the names of the databases tell where the files belong, as soon as these can be asked.
    if (!isOutcomeUnknown(error)) for (const each of media) await each.takeBack()
    throw error
  }
  return { replaced, removed, kept }
}

/**
 * Restores everything: the control database, the databases of all projects and their files. Nothing is touched before the whole backup
 * was checked and loaded beside what is there; then all of it is exchanged by one transaction. Projects that are not in the backup
 * are gone afterwards, and answered as `removed`: their files go with them, but for those in a bucket. Those that could not be saved stay
 * as they are, where they are here, and are answered as `kept`. Rejects with `BackupUnusable`
 * where something is there and `overwrite` is false, or a server runs. Where it is stopped or fails before the exchange, everything is
 * as it was.
 */
export const restoreEverything = async (
  options: RestoreOptions,
): Promise<Manifest & Pick<Exchanged, "removed" | "kept">> => {
  const { databaseUrl, folder, mediaFolder, overwrite, signal = never } = options
  const settings = operatorSettings(databaseUrl)
  const database = controlNameOf(databaseUrl)
  const manifest = await checkForRestore(options, null)
  if (manifest.scope !== "everything")
    throw new BackupUnusable(
      `The backup is of one project: hearth restore ${folder} --project ${manifest.projects[0]?.id}`,
    )
  await ensureControlDatabase(settings, database)
  const client = await openClient(settings.url, database)
  const stop: Stop = { url: settings.url, signal }
  try {
    await whileNotStopped(client, stop, async () => {
      await refuseOthers(client)
      if (!overwrite && (await countProjects(client)) > 0)
        throw new BackupUnusable(
          "There are projects or developers already: --overwrite replaces all of them by those of the backup.",
        )
      const ids = manifest.projects.map(({ id }) => id)
      await refuseForeign(client, ids)
    })
    return await asOnlyRestore(client, { url: settings.url, mediaFolder }, async () => {
      const media = await loadProjects(client, manifest, options, stop)
      const parts = { databaseUrl, folder, mediaFolder, media, stop }
      const { replaced, removed, kept } = await exchange(client, manifest, parts)
      const after = await orAnother(client, settings.url)
      try {
        await after.query("analyze")
        await migrateControl(settings, database, controlSchema)
        for (const name of replaced) await dropDatabase(after, name)
      } finally {
        if (after !== client) await after.end()
      }
      for (const each of media) await each.removeOld()
      return { ...manifest, removed, kept }
    })
  } finally {
    await client.end()
  }
}
