import { readFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"

/** A connection to a project's database of a service, or to one by name, beside the service. */
export const connectTo = async (dataDir: string, projectId: string): Promise<pg.Client> => {
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim()
  const port = Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[3])
  const database = projectId.includes("-") ? `hearth_${projectId.replaceAll("-", "")}` : projectId
  const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", password, database })
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
