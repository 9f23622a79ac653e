import { open, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type pg from "pg"
import { reasonOf } from "../connections/connection-lost.ts"
import { controlNameOf, tenantNameOf } from "../operations/settings.ts"
import { readSqlState } from "../schema/server.ts"
import { copyMedia } from "./copy-media.ts"
import { type DumpFacts, dumpDatabase, openClient, type RowFilter } from "./dump.ts"
import { expectMedia } from "./expect-media.ts"
import { BackupUnusable, type Manifest } from "./manifest.ts"
import { makePartialFolder } from "./partial-folder.ts"
import { never, whileNotStopped } from "./stoppable.ts"
import { refuseFull, writeBackupFile } from "./write-file.ts"

/** What a backup is doing, for a terminal. `done` of `total` parts; `bytes` were written by now. */
export interface BackupProgress {
  readonly what: string
  readonly done: number
  readonly total: number
  readonly bytes: number
}

/** What is saved, and where. */
export interface BackupOptions {
  readonly databaseUrl: string
  /** Where the files of media are; null where they are in a bucket, which is not saved. */
  readonly mediaFolder: string | null
  /** A folder that is not there yet. It appears under this name when it is complete. */
  readonly folder: string
  /** One project; null is everything. */
  readonly projectId: string | null
  /** The release that writes it. */
  readonly release: string
  readonly now: () => Date
  /** Ends it when it is aborted; never, where left out. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: BackupProgress) => void
}

interface ProjectRow {
  readonly id: string
  readonly name: string
}

/** All rows but those of workers, which say who is at work now: in a restored database they would be somebody else. */
const rowsOfAll: RowFilter = ({ name }) => (name === "workers" ? null : "true")

/** The rows of the control database that belong to one project; of the developers, its members. */
const rowsOfProject =
  (id: string): RowFilter =>
  ({ name, columns }) => {
    if (name === "projects" || name === "link_domains") return `id = '${id}'`
    if (name === "developers") return `id in (select developer_id from project_members where project_id = '${id}')`
    return columns.includes("project_id") ? `project_id = '${id}'` : null
  }

const noDatabase = "3D000"
const ended = "57P01"
// Connections, resources and operators: what is wrong with the whole server, or passes.
const notOfDatabase = /^(08|53|57)/

const ask = async <Row extends object>(client: pg.Client, text: string): Promise<ReadonlyArray<Row>> =>
  (await client.query<Row>(text)).rows

/** Dumps a database into a file of the backup. */
const dumpInto = async (
  options: BackupOptions,
  database: string,
  file: string,
  filter?: RowFilter,
  onBytes?: (bytes: number) => void,
) => {
  const client = await openClient(new URL(options.databaseUrl), database)
  let facts: DumpFacts = { tables: 0, rows: 0, steps: [] }
  const { signal = never } = options
  try {
    const dump = dumpDatabase(client, (found) => (facts = found), filter)
    const written = await whileNotStopped(client, { url: new URL(options.databaseUrl), signal }, () =>
      writeBackupFile(`${options.folder}.partial`, file, dump, { compress: true, signal, ...(onBytes && { onBytes }) }),
    )
    return { ...written, steps: facts.steps, rows: facts.rows }
  } finally {
    await client.end().catch(() => {})
  }
}

const readControl = async ({ databaseUrl, projectId }: BackupOptions) => {
  const client = await openClient(new URL(databaseUrl), controlNameOf(databaseUrl))
  try {
    const all = await ask<ProjectRow>(client, "select id, name from projects where is_ready order by created_at, id")
    const projects = all.filter(({ id }) => projectId === null || id === projectId)
    if (projectId !== null && projects.length === 0) throw new BackupUnusable(`There is no project ${projectId}.`)
    const [server] = await ask<{ readonly version: string }>(
      client,
      "select current_setting('server_version') as version",
    )
    const keys = await ask<{ readonly key: string }>(
      client,
      "select distinct sealed_with as key from integrations where sealed_with is not null",
    )
    return { projects, postgres: server?.version ?? "unknown", secret_keys: keys.map(({ key }) => key) }
  } finally {
    await client.end()
  }
}

const syncFolder = async (folder: string) => {
  if (process.platform === "win32") return
  const handle = await open(folder, "r")
  await handle.sync().finally(() => handle.close())
}

const write = async (options: BackupOptions): Promise<Manifest> => {
  const { folder, projectId, mediaFolder, signal = never, onProgress = () => {} } = options
  const started_at = options.now().toISOString()
  const { projects, postgres, secret_keys } = await readControl(options)
  const present = projects.map(({ id }) => id)
  if (mediaFolder !== null) await expectMedia(options.databaseUrl, mediaFolder, present, signal)
  const total = projects.length + 1 + (mediaFolder === null ? 0 : 1)
  let [done, bytes] = [0, 0]
  const track = (what: string) => {
    onProgress({ what, done, total, bytes })
    return (more: number) => {
      bytes += more
      onProgress({ what, done, total, bytes })
    }
  }
  const control = await dumpInto(
    options,
    controlNameOf(options.databaseUrl),
    "control.sql.gz",
    projectId === null ? rowsOfAll : rowsOfProject(projectId),
    track("control"),
  )
  const saved: Array<Manifest["projects"][number]> = []
  const gone: Array<string> = []
  const failed: Array<NonNullable<Manifest["failed"]>[number]> = []
  for (const { id, name } of projects) {
    done += 1
    try {
      const dumped = await dumpInto(options, tenantNameOf(id), `projects/${id}.sql.gz`, undefined, track(name))
      saved.push({ id, name, ...dumped })
    } catch (error) {
      signal.throwIfAborted()
      const state = readSqlState(error)
      if (state === null || (notOfDatabase.test(state) && state !== ended)) throw error
      const { projects: left } = await readControl({ ...options, projectId: null })
      if (!left.some((each) => each.id === id) && [noDatabase, ended].includes(state)) gone.push(id)
      else if (projectId === null && state !== ended) failed.push({ id, name, reason: reasonOf(error) })
      else throw error
      await rm(join(`${folder}.partial`, `projects/${id}.sql.gz`), { force: true })
    }
  }
  done += 1
  const ids = saved.map(({ id }) => id)
  const copying = { target: `${folder}.partial`, signal, onBytes: track("media") }
  const media = mediaFolder === null ? null : await copyMedia(mediaFolder, ids, copying)
  const manifest: Manifest = {
    ...{ format: 1, hearth: options.release, postgres, started_at, finished_at: options.now().toISOString() },
    ...{ scope: projectId === null ? "everything" : "project", control, projects: saved, gone, media, secret_keys },
    ...(failed.length === 0 ? {} : { failed }),
  }
  const path = join(`${folder}.partial`, "manifest.json")
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true }).catch(refuseFull(path))
  return manifest
}

/**
 * Saves the control database, the databases of the projects and the files of local media in a folder, while the service runs. Each
 * database is saved as it was at one moment. The folder appears when it is complete; where it cannot be completed or is stopped,
 * nothing stays. Projects whose databases alone cannot be read are answered as `failed`, and not in it.
 */
export const writeBackup = async (options: BackupOptions): Promise<Manifest> => {
  const partial = await makePartialFolder(options.folder)
  try {
    const manifest = await write(options)
    await partial.finish()
    await syncFolder(dirname(options.folder))
    return manifest
  } catch (error) {
    await partial.remove()
    throw error
  } finally {
    partial.release()
  }
}
