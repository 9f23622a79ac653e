import pg from "pg"
import { type Connection, type ConnectionSettings, urlOf } from "../connections/connection.ts"
import { migrate } from "./schema.ts"
import { controlSchema } from "./schemas.ts"
import { createEmpty, hasDatabase, withConnection } from "./server.ts"

/** The database that every server has. */
export const maintenanceDatabase = "postgres"

/** The database that holds the control plane: the one that the address names, or `fallback` when that is `postgres`. */
export const controlDatabaseOf = (url: URL, fallback: string): string => {
  const named = decodeURIComponent(url.pathname.slice(1))
  return named === "" || named === maintenanceDatabase ? fallback : named
}

/** Creates the control database when it is missing. One that the address names must exist. */
export const ensureControlDatabase = async (settings: ConnectionSettings, database: string): Promise<void> => {
  if (controlDatabaseOf(settings.url, "") === database) return
  await withConnection(settings, maintenanceDatabase, async (connection) => {
    if (await hasDatabase(connection, database)) return
    try {
      await createEmpty(connection, database)
    } catch (error) {
      if (!isThereNow(error)) throw error
    }
  })
}

/** Migrates the control database to the present schema. The caller holds the database lock. */
export const migrateControl = (settings: ConnectionSettings, { database }: Connection): Promise<void> =>
  migrate(controlSchema, urlOf(settings.url, database))

// Two processes that create it at once collide in the server's catalogue, or just before.
const isThereNow = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === "42P04" || error.code === "23505")
