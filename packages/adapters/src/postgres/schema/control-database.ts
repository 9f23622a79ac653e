import pg from "pg"
import type { ConnectionSettings } from "../connections/connection.ts"
import { serverLock } from "./locks.ts"
import { type Migrated, migrate } from "./migrate.ts"
import type { Schema } from "./schema.ts"
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

// Another process may be migrating it, which can take its time.
const lockMillis = 5 * 60_000

/**
 * Brings the control database up to the schema, under the lock that earlier releases take too. Rejects with `ReleaseTooOld`
 * where it is of a later release that this one cannot work with, and when a step fails: nothing works without it.
 */
export const migrateControl = (settings: ConnectionSettings, database: string, schema: Schema): Promise<Migrated> =>
  withConnection(settings, database, (connection) =>
    migrate(connection, schema, { isNew: true, lock: serverLock, lockMillis }),
  )

// Two processes that create it at once collide in the server's catalogue, or just before.
const isThereNow = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === "42P04" || error.code === "23505")
