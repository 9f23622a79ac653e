import { connect } from "../connections/connection.ts"
import { maintenanceDatabase } from "../schema/control-database.ts"
import { operatorSettings } from "./settings.ts"

/**
 * What the keys of an embedded service begin with in a Redis: it has its own database, and the Redis may be that of others. The name
 * stays while its PostgreSQL is the same.
 */
export const nameInRedis = async (databaseUrl: string): Promise<string> => {
  const settings = { ...operatorSettings(databaseUrl), applicationName: "hearth" }
  const connection = await connect(settings, maintenanceDatabase)
  try {
    const text = "select system_identifier::text as id from pg_control_system()"
    const { rows } = await connection.run({ text, values: [] })
    return `hearth-${(rows[0] as { readonly id: string }).id}`
  } finally {
    await connection.close()
  }
}
