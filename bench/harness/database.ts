import { readFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"

/** How a project's database of a service is reached, or one by name: by a socket file, where the service uses one. */
export const findDatabase = (dataDir: string, projectId: string) => {
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim()
  const lines = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")
  const [port, socketFolder] = [Number(lines[3]), lines[4]?.trim()]
  const database = projectId.includes("-") ? `hearth_${projectId.replaceAll("-", "")}` : projectId
  return { host: socketFolder || "127.0.0.1", port, user: "postgres", password, database }
}

/** A connection to a project's database of a service, or to one by name, beside the service. */
export const connectTo = async (dataDir: string, projectId: string): Promise<pg.Client> => {
  const client = new pg.Client(findDatabase(dataDir, projectId))
  await client.connect()
  return client
}

const columns = `id, app_user_id, event_name, properties, occurred_at, external_id`

/** The bound of ingest: the same rows by one statement. */
export const insertRows = `insert into engagement_events (${columns})
  select ${columns} from jsonb_to_recordset($1::jsonb)
    as rows (id uuid, app_user_id uuid, event_name text, properties jsonb, occurred_at timestamptz, external_id text)
  on conflict do nothing`

/** The bound of single events: one row. */
export const insertRow = `insert into engagement_events (${columns}) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`
