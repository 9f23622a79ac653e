import pg from "pg"
import { testServer } from "./server.ts"

/** A connection beside the service to the database of a new project. */
export interface ProjectClient {
  readonly client: pg.Client
  readonly close: () => Promise<void>
}

/** Connects to the database of a new project, and runs statements there that fill it. Instants are written and read in UTC. */
export const openProjectClient = async (statements: ReadonlyArray<string>): Promise<ProjectClient> => {
  const server = testServer()
  const project = await server.project(await server.open())
  const connectionString = server.urlOf(server.databaseOf(project))
  const client = new pg.Client({ connectionString, options: "-c TimeZone=UTC" })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  return {
    client,
    close: async () => {
      await client.end()
      await server.close()
    },
  }
}
