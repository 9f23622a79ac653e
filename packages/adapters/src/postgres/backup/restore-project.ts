import { randomBytes, randomUUID } from "node:crypto"
import pg from "pg"
import type { ConnectionSettings } from "../connections/connection.ts"
import { controlNameOf, operatorSettings, tenantNameOf } from "../operations/settings.ts"
import { migrate } from "../schema/migrate.ts"
import { controlSchema } from "../schema/schemas.ts"
import { createEmpty, withConnection } from "../schema/server.ts"
import { openClient } from "./dump.ts"
import { loadDatabase } from "./load.ts"
import { BackupUnusable, type Manifest } from "./manifest.ts"
import { checkForRestore, type RestoreOptions } from "./restore-all.ts"
import { besideName, dropDatabase, loadProject, placeMedia, readDump, renameDatabase } from "./restore-parts.ts"

/** Which project of a backup is restored, and as what. */
export interface RestoreProjectOptions extends RestoreOptions {
  readonly projectId: string
  /** Whether it becomes another project, beside the one that may be there. */
  readonly asNew: boolean
}

/** A project that was restored. */
export interface RestoredProject {
  readonly id: string
  readonly name: string
  readonly clientKeys: ReadonlyArray<string>
  /** The emails of its members. */
  readonly members: ReadonlyArray<string>
  readonly rows: number
  readonly files: number
}

type Row = Readonly<Record<string, unknown>>

const tables = [
  "projects",
  "developers",
  "project_members",
  "api_keys",
  "integrations",
  "link_domains",
  "project_jobs",
] as const
type ControlRows = Readonly<Record<(typeof tables)[number], ReadonlyArray<Row>>>

const conditions: Readonly<Record<(typeof tables)[number], string>> = {
  projects: "id = $1",
  developers: "id in (select developer_id from project_members where project_id = $1)",
  project_members: "project_id = $1",
  api_keys: "project_id = $1",
  integrations: "project_id = $1",
  link_domains: "id = $1",
  project_jobs: "project_id = $1",
}

/** What the control database of the backup has of a project, in the schema of this release. It is loaded for that, and dropped. */
const readSaved = async (
  settings: ConnectionSettings,
  client: pg.Client,
  { folder, manifest, id }: { readonly folder: string; readonly manifest: Manifest; readonly id: string },
): Promise<ControlRows> => {
  const name = besideName("restoring", `control${id.slice(0, 8)}`)
  await dropDatabase(client, name)
  await withConnection(settings, client.database ?? "", (connection) => createEmpty(connection, name))
  try {
    const own = await openClient(settings.url, name)
    try {
      const { file, steps } = manifest.control
      await loadDatabase(own, { schema: controlSchema, steps, source: readDump(folder, file) })
      await withConnection(settings, name, (connection) => migrate(connection, controlSchema))
      const found: Record<string, ReadonlyArray<Row>> = {}
      for (const table of tables)
        found[table] = (
          await own.query(`select to_jsonb(t) as row from ${table} t where ${conditions[table]}`, [id])
        ).rows.map(({ row }) => row)
      return found as ControlRows
    } finally {
      await own.end()
    }
  } finally {
    await dropDatabase(client, name)
  }
}

const insert = (client: pg.Client, table: string, row: Row) =>
  client.query(
    `insert into ${pg.escapeIdentifier(table)} select * from jsonb_populate_record(null::${pg.escapeIdentifier(table)}, $1)`,
    [JSON.stringify(row)],
  )

const exists = async (client: pg.Client, text: string, values: ReadonlyArray<unknown>): Promise<boolean> =>
  ((await client.query(text, [...values])).rowCount ?? 0) > 0

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A client key as the service makes them [C3]: random bytes above 247 would favour some characters. */
const makeClientKey = (): string => {
  const characters = [...randomBytes(128)].filter((byte) => byte < 248).map((byte) => alphabet[byte % 62])
  return `pk_${characters.slice(0, 32).join("")}`
}

/** The developers of the backup as they are here: those with the same email, or those of the backup where there is none. */
const placeDevelopers = async (
  client: pg.Client,
  developers: ReadonlyArray<Row>,
): Promise<ReadonlyMap<unknown, unknown>> => {
  const ids = new Map<unknown, unknown>()
  for (const developer of developers) {
    const { rows } = await client.query(
      "select id from developers where id = $1 or email = $2 order by id = $1 desc limit 1",
      [developer["id"], developer["email"]],
    )
    if (rows.length === 0) await insert(client, "developers", developer)
    ids.set(developer["id"], rows[0]?.id ?? developer["id"])
  }
  return ids
}

/** Writes what the control database has of the project. A new one has keys of its own where those of the backup are taken, and no integrations. */
const writeControl = async (
  client: pg.Client,
  saved: ControlRows,
  id: string,
  asNew: boolean,
): Promise<ReadonlyArray<string>> => {
  const [project] = saved.projects
  const developers = await placeDevelopers(client, saved.developers)
  const own = (row: Row): Row => ({ ...row, project_id: id, ...(asNew ? { id: randomUUID() } : {}) })
  await insert(client, "projects", {
    ...project,
    id,
    ...(asNew ? { name: `${project?.["name"]} (restored)`.slice(-200) } : {}),
  })
  for (const row of saved.project_members)
    await insert(client, "project_members", { ...own(row), developer_id: developers.get(row["developer_id"]) })
  const keys: Array<string> = []
  for (const row of saved.api_keys) {
    const isTaken = await exists(client, "select 1 from api_keys where key = $1", [row["key"]])
    const key = isTaken ? makeClientKey() : String(row["key"])
    await insert(client, "api_keys", { ...own(row), key })
    keys.push(key)
  }
  for (const row of saved.project_jobs) await insert(client, "project_jobs", { ...row, project_id: id })
  if (asNew) return keys
  // Secrets open only for the project that they were sealed for, and two projects would push to the same devices.
  for (const row of saved.integrations) await insert(client, "integrations", own(row))
  for (const row of saved.link_domains)
    if (!(await exists(client, "select 1 from link_domains where domain = $1", [row["domain"]])))
      await insert(client, "link_domains", row)
  return keys
}

/**
 * Restores one project, also while servers run: its database, its files, and of the control database its settings, members, client
 * keys, integrations and domains. With `asNew` it becomes another project with a new id, and the others keep theirs.
 */
export const restoreProject = async (options: RestoreProjectOptions): Promise<RestoredProject> => {
  const { databaseUrl, folder, mediaFolder, projectId, asNew, overwrite, onProgress = () => {} } = options
  const settings = operatorSettings(databaseUrl)
  const manifest = await checkForRestore(options, projectId)
  const project = manifest.projects.find(({ id }) => id === projectId)
  if (project === undefined) throw new BackupUnusable(`The backup has no project ${projectId}.`)
  const client = await openClient(settings.url, controlNameOf(databaseUrl))
  try {
    const newId = asNew ? randomUUID() : projectId
    const isTaken = await exists(client, "select 1 from projects where id = $1", [newId])
    if (isTaken && !overwrite)
      throw new BackupUnusable(
        `There is a project ${projectId}: --overwrite replaces it by that of the backup, --as-new makes another project beside it.`,
      )
    onProgress(project.name, 0, 1)
    const saved = await readSaved(settings, client, { folder, manifest, id: projectId })
    const loaded = await loadProject(settings, client, { folder, project, newId })
    const media =
      mediaFolder === null || manifest.media === null
        ? null
        : await placeMedia(mediaFolder, { folder, manifest, from: projectId, to: newId })
    const replaced = besideName("replaced", newId)
    await dropDatabase(client, replaced)
    await client.query("begin")
    try {
      await client.query("delete from projects where id = $1", [newId])
      // Of a project that was removed the files are to be removed later: these stay.
      await client.query("delete from project_files where id = $1", [newId])
      const clientKeys = await writeControl(client, saved, newId, asNew)
      if (await exists(client, "select 1 from pg_database where datname = $1", [tenantNameOf(newId)]))
        await renameDatabase(client, tenantNameOf(newId), replaced)
      await renameDatabase(client, loaded, tenantNameOf(newId))
      await media?.put()
      await client.query("commit")
      await dropDatabase(client, replaced)
      await media?.removeOld()
      onProgress(project.name, 1, 1)
      const members = saved.developers.map(({ email }) => String(email))
      return { id: newId, name: project.name, clientKeys, members, rows: project.rows, files: media?.files ?? 0 }
    } catch (error) {
      await client.query("rollback")
      await dropDatabase(client, loaded)
      throw error
    }
  } finally {
    await client.end()
  }
}
