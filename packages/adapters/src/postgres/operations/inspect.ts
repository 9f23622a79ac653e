import { isLeftByRestore } from "../backup/restore-parts.ts"
import { type Connection, type ConnectionSettings, connect } from "../connections/connection.ts"
import { clockQuestion } from "../connections/probe.ts"
import { refusePooler } from "../connections/refuse-pooler.ts"
import { type CommentRow, listOwnDatabases } from "../schema/comments.ts"
import { maintenanceDatabase } from "../schema/control-database.ts"
import { isTooOldFor, isUpToDate, parseNote } from "../schema/note.ts"
import { controlSchema, tenantSchema } from "../schema/schemas.ts"
import { hasDatabase } from "../schema/server.ts"
import { controlNameOf, operatorSettings, tenantNameOf, tenantPrefix } from "./settings.ts"

/** What a PostgreSQL server is, as far as the service depends on it. */
export interface PostgresReport {
  readonly version: string
  /** As `server_version_num` says it: 180001. */
  readonly versionNumber: number
  readonly answerMillis: number
  /** How far its clock is ahead of this machine's; negative where it is behind. */
  readonly aheadMillis: number
  readonly user: string
  readonly mayCreateDatabases: boolean
  /** A server that follows another takes no writes, nor one that was told to take none. */
  readonly isReplica: boolean
  readonly isReadOnly: boolean
  /** `fsync`, `full_page_writes` and `synchronous_commit`, as they are set. */
  readonly durability: Readonly<Record<string, string>>
  readonly maxConnections: number
  readonly usedConnections: number
  readonly control: ControlReport | null
  /** Why the control database cannot be read, where it is there. */
  readonly controlFailure: string | null
}

/** What the control database knows; null in a report where there is none yet. */
export interface ControlReport {
  readonly database: string
  /** The steps of its schema that this release has and it has not. */
  readonly missingSteps: ReadonlyArray<string>
  /** Databases of projects by their schema. `lost`: projects that have none. `leftOver`: databases that a restore has left. */
  readonly projects: Readonly<Record<"current" | "behind" | "tooNew" | "lost" | "leftOver", ReadonlyArray<string>>>
  /** The fingerprints of the keys that secrets of integrations are sealed with. */
  readonly sealedWith: ReadonlyArray<string>
  /** For how many seconds no worker was seen; null where none ever was. */
  readonly workerSilentSeconds: number | null
  /** Jobs of projects that have been due for more than five minutes. */
  readonly lateJobs: number
}

const rowsOf = async <Row>(connection: Connection, text: string): Promise<ReadonlyArray<Row>> =>
  (await connection.run({ text, values: [] })).rows as ReadonlyArray<Row>

const readOnly = `current_setting('transaction_read_only') = 'on' as "isReadOnly"`

const serverQuestion = `select current_setting('server_version') as version,
  current_setting('server_version_num')::int as "versionNumber", current_user as "user",
  (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as "mayCreateDatabases",
  pg_is_in_recovery() as "isReplica", ${readOnly},
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections",
  (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "usedConnections"`

interface ServerRow
  extends Omit<PostgresReport, "durability" | "answerMillis" | "aheadMillis" | "control" | "controlFailure"> {
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
}

/** The difference between the clocks, from the fastest of a few answers. */
const compareClocks = async (connection: Connection) => {
  const tries: Array<{ readonly took: number; readonly ahead: number }> = []
  for (let count = 0; count < 5; count += 1) {
    const [began, started] = [Date.now(), performance.now()]
    const [row] = await rowsOf<{ readonly now: number }>(connection, clockQuestion)
    const took = performance.now() - started
    tries.push({ took, ahead: (row?.now ?? began) - (began + took / 2) })
  }
  return tries.reduce((best, each) => (each.took < best.took ? each : best))
}

const readSteps = async (connection: Connection): Promise<ReadonlySet<string>> => {
  const [found] = await rowsOf<{ readonly exists: boolean }>(
    connection,
    "select to_regclass('mikro_orm_migrations') is not null as exists",
  )
  if (found?.exists !== true) return new Set()
  const rows = await rowsOf<{ readonly name: string }>(connection, "select name from mikro_orm_migrations")
  return new Set(rows.map(({ name }) => name))
}

const readProjects = async (connection: Connection, database: string): Promise<ControlReport["projects"]> => {
  const own = (await connection.run(listOwnDatabases(tenantPrefix))).rows as ReadonlyArray<CommentRow>
  const all = await rowsOf<{ readonly name: string }>(
    connection,
    "select datname as name from pg_database order by datname",
  )
  const projects = await rowsOf<{ readonly id: string }>(
    connection,
    "select id from projects where is_ready order by id",
  )
  const names = new Set(own.map(({ name }) => name))
  const found = { current: [] as Array<string>, behind: [] as Array<string>, tooNew: [] as Array<string> }
  for (const { name, comment } of own) {
    const note = parseNote(comment)
    if (note !== null && isTooOldFor(tenantSchema, note.needs)) found.tooNew.push(name)
    else if (note !== null && isUpToDate(tenantSchema, note)) found.current.push(name)
    else found.behind.push(name)
  }
  const lost = projects.map(({ id }) => id).filter((id) => !names.has(tenantNameOf(id)))
  const leftOver = all.map(({ name }) => name).filter((name) => isLeftByRestore(database, name))
  return { ...found, lost, leftOver }
}

const readControl = async (connection: Connection, database: string): Promise<ControlReport> => {
  const steps = await readSteps(connection)
  const missingSteps = controlSchema.steps.map(({ name }) => name).filter((name) => !steps.has(name))
  const none = { current: [], behind: [], tooNew: [], lost: [], leftOver: [] }
  if (missingSteps.length > 0)
    return { database, missingSteps, projects: none, sealedWith: [], workerSilentSeconds: null, lateJobs: 0 }
  const sealed = await rowsOf<{ readonly key: string }>(
    connection,
    "select distinct sealed_with as key from integrations where sealed_with is not null",
  )
  const [work] = await rowsOf<{ readonly silent: number | null; readonly late: number }>(
    connection,
    `select (select extract(epoch from clock_timestamp() - max(seen_at))::float8 from workers
          where seen_at < clock_timestamp() + interval '1 minute') as silent,
       (select count(*)::int from project_jobs where run_at < clock_timestamp() - interval '5 minutes') as late`,
  )
  return {
    database,
    missingSteps,
    projects: await readProjects(connection, database),
    sealedWith: sealed.map(({ key }) => key),
    workerSilentSeconds: work?.silent ?? null,
    lateJobs: work?.late ?? 0,
  }
}

const tryControl = async (settings: ConnectionSettings, database: string) => {
  try {
    const connection = await connect(settings, database)
    const read = async () => {
      // It may have been set for this database alone.
      const [writes] = await rowsOf<Pick<PostgresReport, "isReadOnly">>(connection, `select ${readOnly}`)
      return { ...writes, control: await readControl(connection, database), controlFailure: null }
    }
    return await read().finally(() => connection.close())
  } catch (error) {
    return { control: null, controlFailure: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Looks at the server of an address, and changes nothing. Rejects with a sentence where it cannot be reached, or is reached
 * through a pooler that shares sessions.
 */
export const inspectPostgres = async (databaseUrl: string): Promise<PostgresReport> => {
  const settings = { ...operatorSettings(databaseUrl), statementMillis: 10_000 }
  const control = controlNameOf(databaseUrl)
  const named = decodeURIComponent(settings.url.pathname.slice(1))
  const first = named === control ? control : maintenanceDatabase
  await refusePooler(settings, first)
  const connection = await connect(settings, first)
  try {
    const clock = await compareClocks(connection)
    const [server] = await rowsOf<ServerRow>(connection, serverQuestion)
    if (server === undefined) throw new Error("The server says nothing about itself.")
    const { fsync, full_page_writes, synchronous_commit, ...rest } = server
    const isThere = first === control || (await hasDatabase(connection, control))
    return {
      ...rest,
      answerMillis: clock.took,
      aheadMillis: clock.ahead,
      durability: { fsync, full_page_writes, synchronous_commit },
      ...(isThere ? await tryControl(settings, control) : { control: null, controlFailure: null }),
    }
  } finally {
    await connection.close()
  }
}
