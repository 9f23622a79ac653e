import pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { urlOf } from "../connections/connection.ts"
import { ConnectionLost, isConnectionLoss, reasonOf } from "../connections/connection-lost.ts"
import { migrationsTable } from "../schema/migrate.ts"

/** What a dump is of. */
export interface DumpFacts {
  readonly tables: number
  readonly rows: number
  /** The steps of the schema that the database has. */
  readonly steps: ReadonlyArray<string>
}

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
}

// Generated columns are not copied: the schema makes them again.
const tablesQuery = `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> '${migrationsTable}'
  group by c.relname order by c.relname`

const quote = pg.escapeIdentifier

/**
 * Opens a connection for a command, over which statements may take as long as they need. Rejects with `ConnectionLost` where the
 * database cannot be reached.
 */
export const openClient = async (url: URL, database: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: urlOf(url, database),
    application_name: "hearth operator",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: "-c TimeZone=UTC",
  })
  // What breaks later rejects the statement that is under way.
  client.on("error", () => {})
  await client.connect().catch((error: unknown) => {
    throw isConnectionLoss(error) ? new ConnectionLost(database, reasonOf(error), error) : error
  })
  return client
}

const listTables = async (client: pg.Client): Promise<ReadonlyArray<Table>> =>
  (await client.query<{ readonly name: string; readonly columns: ReadonlyArray<string> }>(tablesQuery)).rows

/** Which rows of a table are dumped: a condition, or null for none of them. */
export type RowFilter = (table: Table) => string | null

const everyRow: RowFilter = () => "true"

/**
 * The data of a database as text: a COPY block for each table that has rows, then the sequences. It is of one moment, whatever is
 * written meanwhile. The database has to have a schema of ours: the dump has none, only the names of its steps.
 */
export async function* dumpDatabase(
  client: pg.Client,
  onFacts: (facts: DumpFacts) => void,
  filter = everyRow,
): AsyncGenerator<Buffer> {
  await client.query("begin isolation level repeatable read read only")
  const tables = await listTables(client)
  // No migration changes a table before it is read.
  await client.query(`lock table ${tables.map(({ name }) => quote(name)).join(", ")} in access share mode`)
  const applied = await client.query<{ readonly name: string }>(`select name from ${migrationsTable} order by name`)
  let rows = 0
  for (const table of tables) {
    const condition = filter(table)
    if (condition === null) continue
    const columns = table.columns.map(quote).join(", ")
    const copy = copyTo(`copy (select ${columns} from ${quote(table.name)} where ${condition}) to stdout`)
    let isEmpty = true
    for await (const piece of client.query(copy)) {
      if (isEmpty) yield Buffer.from(`COPY ${quote(table.name)} (${columns}) FROM stdin;\n`)
      isEmpty = false
      yield piece as Buffer
    }
    if (!isEmpty) yield Buffer.from("\\.\n")
    rows += copy.rowCount ?? 0
  }
  const sequences = await client.query<{ readonly name: string; readonly last: string | null }>(
    "select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1",
  )
  for (const { name, last } of sequences.rows)
    if (last !== null && name !== `${migrationsTable}_id_seq`)
      yield Buffer.from(`SELECT setval('${quote(name)}', ${last}, true);\n`)
  await client.query("commit")
  onFacts({ tables: tables.length, rows, steps: applied.rows.map(({ name }) => name) })
}
