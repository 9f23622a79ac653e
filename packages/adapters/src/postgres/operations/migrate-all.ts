import { connect } from "../connections/connection.ts"
import { refusePooler } from "../connections/refuse-pooler.ts"
import { type CommentRow, listOwnDatabases } from "../schema/comments.ts"
import {
  controlDatabaseOf,
  ensureControlDatabase,
  maintenanceDatabase,
  migrateControl,
} from "../schema/control-database.ts"
import { migrate, writeNote } from "../schema/migrate.ts"
import { controlSchema, tenantSchema } from "../schema/schemas.ts"
import { withConnection } from "../schema/server.ts"
import { tenantDatabases } from "../schema/tenant-databases.ts"
import { controlNameOf, operatorSettings, tenantPrefix } from "./settings.ts"

/** What became of a database: the steps that it was given, or why it has not the present schema. */
export interface MigratedDatabase {
  readonly database: string
  readonly steps: ReadonlyArray<string>
  readonly failure: unknown
}

/** How all databases are migrated. */
export interface MigrateAllOptions {
  readonly databaseUrl: string
  /** Called after each database, with how many of how many are done. */
  readonly onDone: (done: MigratedDatabase, count: number, total: number) => void
}

// As many as the servers migrate at once.
const atOnce = 4
// A server that is migrating the same database is done in a while.
const elsewhereMillis = 5 * 60_000

/**
 * Brings the control database and those of all projects to the present schema, as servers and workers do by themselves: so it may
 * run beside them. A database of a project that cannot be migrated does not keep the others from it. Rejects where nothing can
 * be done: the server cannot be reached, or the control database is of a later release.
 */
export const migrateAll = async ({
  databaseUrl,
  onDone,
}: MigrateAllOptions): Promise<ReadonlyArray<MigratedDatabase>> => {
  const settings = operatorSettings(databaseUrl)
  const controlDatabase = controlNameOf(databaseUrl)
  await refusePooler(settings, controlDatabaseOf(settings.url, maintenanceDatabase))
  await ensureControlDatabase(settings, controlDatabase)
  const { steps } = await migrateControl(settings, controlDatabase, controlSchema)

  const connection = await connect(settings, controlDatabase)
  const { rows } = await connection.run(listOwnDatabases(tenantPrefix)).finally(() => connection.close())
  const names = (rows as ReadonlyArray<CommentRow>).map(({ name }) => name)
  const done: Array<MigratedDatabase> = []
  const note = (one: MigratedDatabase) => {
    done.push(one)
    onDone(one, done.length, names.length + 1)
  }
  note({ database: controlDatabase, steps, failure: null })

  const waiting = [...names]
  const migrateNext = async (): Promise<void> => {
    const database = waiting.shift()
    if (database === undefined) return
    try {
      const result = await withConnection(settings, database, async (own) => {
        const migrated = await migrate(own, tenantSchema, { lockMillis: elsewhereMillis })
        await writeNote(own, database, migrated.note)
        return migrated
      })
      note({ database, steps: result.steps, failure: null })
    } catch (failure) {
      note({ database, steps: [], failure })
    }
    return migrateNext()
  }
  await Promise.all(Array.from({ length: atOnce }, migrateNext))
  // New projects are cloned from it.
  await tenantDatabases(settings, { prefix: tenantPrefix, controlDatabase }, tenantSchema).ensureTemplate()
  return done
}
