import { randomBytes, randomUUID } from "node:crypto"
import pg from "pg"
import type { ConnectionSettings } from "../connections/connection.ts"
import { migrate } from "../schema/migrate.ts"
import { controlSchema } from "../schema/schemas.ts"
import { createEmpty, withConnection } from "../schema/server.ts"
import { openClient } from "./dump.ts"
import { loadDatabase } from "./load.ts"
import type { Manifest } from "./manifest.ts"
import type { MembersPlan, SavedRow } from "./restore-members.ts"
import { besideName, dropDatabase, expectWork, readDump } from "./restore-parts.ts"
import type { Stop } from "./stoppable.ts"

type Row = SavedRow

const tables = [
  "projects",
  "developers",
  "project_members",
  "api_keys",
  "integrations",
  "link_domains",
  "project_jobs",
] as const
/** The rows of a project in the control database of a backup. */
export type ControlRows = Readonly<Record<(typeof tables)[number], ReadonlyArray<Row>>>

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
export const readSaved = async (
  settings: ConnectionSettings,
  client: pg.Client,
  {
    folder,
    manifest,
    id,
    stop,
  }: { readonly folder: string; readonly manifest: Manifest; readonly id: string; readonly stop: Stop },
): Promise<ControlRows> => {
  const name = besideName(client.database, "restoring", `control${id.slice(0, 8)}`)
  await dropDatabase(client, name)
  await withConnection(settings, client.database ?? "", (connection) => createEmpty(connection, name))
  try {
    const own = await openClient(settings.url, name)
    try {
      const { file, steps } = manifest.control
      await loadDatabase(own, { schema: controlSchema, steps, source: readDump(folder, file, stop), stop })
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

/** Whether a query finds a row. */
export const exists = async (client: pg.Client, text: string, values: ReadonlyArray<unknown>): Promise<boolean> =>
  ((await client.query(text, [...values])).rowCount ?? 0) > 0

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A client key as the service makes them [C3]: random bytes above 247 would favour some characters. */
const makeClientKey = (): string => {
  const characters = [...randomBytes(128)].filter((byte) => byte < 248).map((byte) => alphabet[byte % 62])
  return `pk_${characters.slice(0, 32).join("")}`
}

/** Writes the client keys: a project has new ones where those of the backup are taken. */
const writeKeys = async (
  client: pg.Client,
  rows: ReadonlyArray<Row>,
  own: (row: Row) => Row,
): Promise<ReadonlyArray<string>> => {
  const keys: Array<string> = []
  for (const row of rows) {
    const isTaken = await exists(client, "select 1 from api_keys where key = $1", [row["key"]])
    const key = isTaken ? makeClientKey() : String(row["key"])
    await insert(client, "api_keys", { ...own(row), key })
    keys.push(key)
  }
  return keys
}

const mark = " (restored)"

/** The name of a copy. Names have at most 200 characters, of which some are two units of UTF-16. */
const nameCopy = (name: string): string => `${[...name].slice(0, 200 - mark.length).join("")}${mark}`

interface Restoring {
  readonly saved: ControlRows
  readonly id: string
  readonly asNew: boolean
  readonly plan: MembersPlan
  /** The client keys that the project has. */
  readonly keys: ReadonlyArray<Row>
}

/** Writes what the control database has of the project, and answers its client keys. A new one has no integrations. */
export const writeControl = async (
  client: pg.Client,
  { saved, id, asNew, plan, keys }: Restoring,
): Promise<ReadonlyArray<string>> => {
  const [project] = saved.projects
  const own = (row: Row): Row => ({ ...row, project_id: id, ...(asNew ? { id: randomUUID() } : {}) })
  await insert(client, "projects", {
    ...project,
    id,
    ...(asNew ? { name: nameCopy(String(project?.["name"])) } : {}),
  })
  for (const row of plan.accounts) await insert(client, "developers", row)
  for (const { row, developer_id } of plan.members)
    await insert(client, "project_members", { ...own(row), developer_id })
  const written = await writeKeys(client, keys, own)
  for (const row of saved.project_jobs) await insert(client, "project_jobs", { ...row, project_id: id })
  await expectWork(client, id)
  if (asNew) return written
  // Secrets open only for the project that they were sealed for, and two projects would push to the same devices.
  for (const row of saved.integrations) await insert(client, "integrations", own(row))
  for (const row of saved.link_domains)
    if (!(await exists(client, "select 1 from link_domains where domain = $1", [row["domain"]])))
      await insert(client, "link_domains", row)
  return written
}

/** The client keys that a project has here. */
export const readKeys = async (client: pg.Client, projectId: string): Promise<ReadonlyArray<Row>> =>
  (
    await client.query<{ readonly row: Row }>("select to_jsonb(t) as row from api_keys t where project_id = $1", [
      projectId,
    ])
  ).rows.map(({ row }) => row)
