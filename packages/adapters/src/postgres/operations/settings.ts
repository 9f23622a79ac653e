import type { ConnectionSettings } from "../connections/connection.ts"
import { controlDatabaseOf } from "../schema/control-database.ts"

/** The connections of an operator's command: its statements may take as long as they need. */
export const operatorSettings = (databaseUrl: string): ConnectionSettings => ({
  url: new URL(databaseUrl),
  connectMillis: 5_000,
  statementMillis: 0,
  idleInTransactionMillis: 0,
  applicationName: "hearth operator",
})

/** The name of the control database under an address. */
export const controlNameOf = (databaseUrl: string): string => controlDatabaseOf(new URL(databaseUrl), "hearth")

/** How the names of the projects' databases begin. */
export const tenantPrefix = "hearth_"

/** The database of a project. */
export const tenantNameOf = (projectId: string): string => `${tenantPrefix}${projectId.replaceAll("-", "")}`
