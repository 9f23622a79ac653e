import { isUuid } from "@hearth/core"
import { type Connection, type ConnectionSettings, urlOf } from "../connections/connection.ts"
import { migrate, versionOf } from "./schema.ts"
import { tenantSchema } from "./schemas.ts"
import { createEmpty, execute, hasDatabase, quoteIdentifier, withDatabaseLock } from "./server.ts"

/** The databases of the projects on a server, and the template that they are cloned from. */
export interface TenantDatabases {
  nameOf(projectId: string): string
  /** Clones the template. Rejects when the database exists. A failure leaves no database behind. */
  create(projectId: string): Promise<void>
  /** Drops a database, also while it is in use. */
  drop(projectId: string): Promise<void>
  /** Makes the template and migrates the databases of earlier schemas. Answers which of them failed, and why. */
  prepare(control: Connection): Promise<ReadonlyMap<string, unknown>>
}

// A migration is a series of round trips: four at once keep the server busy, eight are no faster.
const migrationsAtOnce = 4

/** Manages databases whose names begin with `prefix`. */
export const tenantDatabases = (
  settings: ConnectionSettings,
  controlDatabase: string,
  prefix: string,
): TenantDatabases => {
  const version = versionOf(tenantSchema)
  const template = `${prefix}template_`
  const nameOf = (projectId: string) => {
    if (!isUuid(projectId)) throw new TypeError("The id of a project is a uuid.")
    return `${prefix}${projectId.replaceAll("-", "").toLowerCase()}`
  }

  const namesLike = async (connection: Connection, start: string) => {
    const { rows } = await connection.run({
      text: `select datname as name, shobj_description(oid, 'pg_database') as comment
             from pg_database where starts_with(datname, $1) order by datname collate "C"`,
      values: [start],
    })
    return rows as ReadonlyArray<{ readonly name: string; readonly comment: string | null }>
  }

  /** The newest template, perhaps of a later release that runs at the same time. Made when there is none or only older ones. */
  const ensureTemplate = async (connection: Connection): Promise<string> => {
    const present = await namesLike(connection, template)
    const newest = present.at(-1)?.name
    if (newest !== undefined && newest >= `${template}${version}`) return newest
    const unfinished = `${prefix}building`
    await dropDatabase(connection, unfinished)
    await createEmpty(connection, unfinished)
    await migrate(tenantSchema, urlOf(settings.url, unfinished))
    // A template cannot be cloned while a client is connected to it, so connections are not allowed.
    await execute(connection, `alter database ${quoteIdentifier(unfinished)} with allow_connections false`)
    await execute(
      connection,
      `alter database ${quoteIdentifier(unfinished)} rename to ${quoteIdentifier(`${template}${version}`)}`,
    )
    for (const { name } of present) await dropDatabase(connection, name)
    return `${template}${version}`
  }

  const dropDatabase = (connection: Connection, name: string) =>
    execute(connection, `drop database if exists ${quoteIdentifier(name)} with (force)`)

  const drop = (name: string) =>
    withDatabaseLock(settings, controlDatabase, (connection) => dropDatabase(connection, name))

  /** Writes the schema's number into the database's comment, which can be read without connecting to it. */
  const note = (connection: Connection, name: string, schema: string) =>
    execute(connection, `comment on database ${quoteIdentifier(name)} is 'schema ${schema}'`)

  return {
    nameOf,
    create: async (projectId) => {
      const name = nameOf(projectId)
      let begun = false
      try {
        await withDatabaseLock(settings, controlDatabase, async (connection) => {
          if (await hasDatabase(connection, name)) throw new Error(`The database ${name} is there already.`)
          const source = await ensureTemplate(connection)
          begun = true
          await execute(connection, `create database ${quoteIdentifier(name)} template ${quoteIdentifier(source)}`)
          await note(connection, name, source.slice(template.length))
        })
      } catch (error) {
        // On a new connection, because the old one may have failed; under the lock, because the server may still be cloning.
        if (begun) await drop(name).catch(() => {})
        throw error
      }
    },
    drop: (projectId) =>
      withDatabaseLock(settings, controlDatabase, (connection) => dropDatabase(connection, nameOf(projectId))),
    prepare: async (control) => {
      await ensureTemplate(control)
      const tenants = (await namesLike(control, prefix)).filter(({ name }) =>
        /^[0-9a-f]{32}$/.test(name.slice(prefix.length)),
      )
      const older = tenants.filter(({ comment }) => comment === null || comment < `schema ${version}`).values()
      const failed = new Map<string, unknown>()
      let noted = Promise.resolve()
      const migrateInTurn = async () => {
        for (const { name } of older) {
          try {
            await migrate(tenantSchema, urlOf(settings.url, name))
            noted = noted.then(() => note(control, name, version))
            await noted
          } catch (error) {
            failed.set(name, error)
          }
        }
      }
      await Promise.all(Array.from({ length: migrationsAtOnce }, migrateInTurn))
      return failed
    },
  }
}
