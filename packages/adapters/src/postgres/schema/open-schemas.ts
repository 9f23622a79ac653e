import type { ConnectionSettings } from "../connections/connection.ts"
import type { Connections } from "../connections/connections.ts"
import { firstUse } from "./first-use.ts"
import type { Schema } from "./schema.ts"
import { type TenantNames, tenantDatabases } from "./tenant-databases.ts"
import { tenantSchemas } from "./tenant-schemas.ts"
import { type SchemaWatchOptions, watchSchemas } from "./watch-schemas.ts"

/** What the databases of the projects are looked after with. */
export interface SchemasOptions extends Partial<Pick<SchemaWatchOptions, "lookMillis" | "onProgress">> {
  readonly settings: ConnectionSettings
  readonly schema: Schema
  readonly names: TenantNames
  /** To the control database. */
  readonly controls: Connections
  /** How long a call waits for a database that is being brought up to date. */
  readonly firstUseMillis?: number
  readonly onWarning: SchemaWatchOptions["onWarning"]
}

/** Puts together what creates the databases of the projects, and what brings them up to date. */
export const openSchemas = (options: SchemasOptions) => {
  const { settings, schema, names, controls, onWarning } = options
  const { lookMillis = 30_000, firstUseMillis = 2_000, onProgress = () => {} } = options
  const databases = tenantDatabases(settings, names, schema)
  const schemas = tenantSchemas({
    settings,
    schema,
    prefix: names.prefix,
    inControl: async (statement) => {
      const connection = await controls.acquire(names.controlDatabase)
      try {
        return (await connection.run(statement)).rows
      } finally {
        controls.release(connection)
      }
    },
    onFailure: (database, cause) =>
      onWarning(`The database ${database} could not be brought up to date.`, cause, {
        project_id: databases.projectOf(database),
      }),
    onMigrated: (database, from, to, millis) =>
      onProgress("the database of a project was brought up to date", {
        ...{ project_id: databases.projectOf(database), from, to, ms: Math.round(millis) },
      }),
  })
  const watch = watchSchemas(schemas, { lookMillis, prepare: databases.ensureTemplate, onProgress, onWarning })
  return { databases, schemas, watch, firstUse: firstUse(schemas, { waitMillis: firstUseMillis, lookMillis }) }
}
