import { randomBytes } from "node:crypto"
import { databaseUrl } from "@hearth/test-services"
import { aProject } from "@hearth/testing"
import { Effect } from "effect"
import pg from "pg"
import { openPostgres, type Postgres, type PostgresOptions } from "../../src/postgres/index.ts"
import { migrate } from "../../src/postgres/schema/migrate.ts"
import { formatNote } from "../../src/postgres/schema/note.ts"
import { tenantSchema } from "../../src/postgres/schema/schemas.ts"
import { withConnection } from "../../src/postgres/schema/server.ts"
import { systemClock, systemIds } from "../../src/system/index.ts"

export const ids = systemIds(systemClock)

/** The databases of a service on the server of this test run: a control database and projects. */
export interface TestServer {
  readonly prefix: string
  readonly controlDatabase: string
  /** Opens another process of the service. */
  open(options?: Partial<PostgresOptions>): Promise<Postgres>
  /** Creates a project with its database. Answers its id. */
  project(postgres: Postgres): Promise<string>
  /** Replaces a project's database by one of an earlier schema, that of its first steps, as a restore would. */
  rewind(projectId: string, steps: number, comment?: string | null): Promise<void>
  databaseOf(projectId: string): string
  urlOf(database: string): string
  /** The rows of a statement on a connection outside of the adapter. */
  rows<Row>(database: string, text: string): Promise<ReadonlyArray<Row>>
  /** A connection outside of the adapter that stays open, with its locks, until `end`. */
  session(database: string): Promise<{ run(text: string): Promise<void>; end(): Promise<void> }>
  /** The databases of this service, by name. */
  databases(): Promise<ReadonlyArray<string>>
  /** How many connections this service has to a database, or to all of its own. */
  connections(database?: string): Promise<number>
  /** How many of the connections to a database wait for a lock. */
  waiting(database: string): Promise<number>
  /** Closes every process and drops every database. */
  close(): Promise<void>
}

const openedBy = (options: PostgresOptions) => Effect.runPromise(openPostgres(options))

/** A service of the caller's own. The first `open` creates its databases. */
export const testServer = (): TestServer => {
  const prefix = `t${randomBytes(5).toString("hex")}_`
  const controlDatabase = `${prefix}control`
  const opened: Array<Postgres> = []
  const urlOf = (database: string) => Object.assign(new URL(databaseUrl()), { pathname: `/${database}` }).href
  const databaseOf = (projectId: string) => `${prefix}${projectId.replaceAll("-", "")}`
  const rows = async <Row>(database: string, text: string) => {
    const client = new pg.Client({ connectionString: urlOf(database), application_name: "test" })
    await client.connect()
    try {
      return (await client.query(text)).rows as ReadonlyArray<Row>
    } finally {
      await client.end()
    }
  }
  const session = async (database: string) => {
    const client = new pg.Client({ connectionString: urlOf(database), application_name: "test" })
    await client.connect()
    return { run: async (text: string) => void (await client.query(text)), end: () => client.end() }
  }
  const databases = async () => {
    const found = await rows<{ readonly datname: string }>(
      "postgres",
      `select datname from pg_database where starts_with(datname, '${prefix}') order by datname`,
    )
    return found.map(({ datname }) => datname)
  }
  const connectionsTo = async (database: string, condition: string) => {
    const [row] = await rows<{ readonly count: number }>(
      "postgres",
      `select count(*)::int from pg_stat_activity
       where application_name = 'hearth' and starts_with(datname, '${database}') ${condition}`,
    )
    return row?.count ?? 0
  }
  return {
    prefix,
    controlDatabase,
    open: async (more = {}) => {
      const url = urlOf("postgres")
      const postgres = await openedBy({
        databaseUrl: url,
        clock: systemClock,
        controlDatabase,
        tenantPrefix: prefix,
        ...more,
      })
      opened.push(postgres)
      return postgres
    },
    project: async ({ control, tenants }) => {
      const id = ids.uuid()
      await Effect.runPromise(control.transact((db) => Effect.orDie(db.projects.insert(aProject({ id })))))
      await Effect.runPromise(tenants.create(id))
      return id
    },
    rewind: async (projectId, count, comment) => {
      const database = databaseOf(projectId)
      await rows(database, "drop schema public cascade; create schema public")
      const settings = {
        url: new URL(databaseUrl()),
        connectMillis: 5_000,
        statementMillis: 0,
        idleInTransactionMillis: 0,
      }
      const steps = tenantSchema.steps.slice(0, count)
      const { note } = await withConnection(settings, database, (connection) =>
        migrate(connection, { ...tenantSchema, steps }, { isNew: true }),
      )
      const text = comment === undefined ? `'${formatNote(note)}'` : comment === null ? "null" : `'${comment}'`
      await rows("postgres", `comment on database "${database}" is ${text}`)
    },
    databaseOf,
    urlOf,
    rows,
    session,
    databases,
    connections: (database = prefix) => connectionsTo(database, ""),
    waiting: (database) => connectionsTo(database, "and wait_event_type = 'Lock'"),
    close: async () => {
      await Promise.all(opened.map((postgres) => Effect.runPromise(postgres.close())))
      const drop = (database: string) => rows("postgres", `drop database "${database}" with (force)`)
      await Promise.all((await databases()).map(drop))
    },
  }
}
