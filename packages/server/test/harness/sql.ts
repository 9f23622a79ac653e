import pg from "pg"

/** A row of a statement's result. */
export type SqlRow = Readonly<Record<string, unknown>>

/** Queries the databases of a service, without the service. */
export interface Sql {
  /** Runs a statement in a database: a project's, by its id, or one by name. */
  rows<Row = SqlRow>(database: string, text: string, values?: ReadonlyArray<unknown>): Promise<ReadonlyArray<Row>>
  /** Runs a statement in a session that stays open, with its locks, until `end`. */
  session(database: string): Promise<{ run(text: string): Promise<void>; end(): Promise<void> }>
}

/** The name of a project's database. */
export const databaseOf = (projectId: string): string => `hearth_${projectId.replaceAll("-", "")}`

/** Queries the databases of a PostgreSQL, whose address may change. */
export const sqlOf = (url: () => string): Sql => {
  const connect = async (database: string) => {
    const name = /^[0-9a-f-]{36}$/.test(database) ? databaseOf(database) : database
    const address = Object.assign(new URL(url()), { pathname: `/${name}` }).href
    const client = new pg.Client({ connectionString: address, application_name: "test" })
    client.on("error", () => {})
    await client.connect()
    return client
  }
  return {
    rows: async <Row>(database: string, text: string, values: ReadonlyArray<unknown> = []) => {
      const client = await connect(database)
      try {
        return (await client.query(text, [...values])).rows as ReadonlyArray<Row>
      } finally {
        await client.end()
      }
    },
    session: async (database) => {
      const client = await connect(database)
      return { run: async (text) => void (await client.query(text)), end: () => client.end() }
    },
  }
}
