import { createHash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { isUuid } from "@hearth/core"
import type { Connection, ConnectionSettings } from "../connections/connection.ts"
import { makeSemaphore } from "../connections/semaphore.ts"
import { ReleaseTooOld } from "./failures.ts"
import { projectLock, releaseLock, serverLock, takeLock } from "./locks.ts"
import { migrate, writeNote } from "./migrate.ts"
import { isTooOldFor, type Note, parseNote } from "./note.ts"
import { type Schema, versionOf } from "./schema.ts"
import { createEmpty, execute, hasDatabase, quoteIdentifier, readSqlState, withConnection } from "./server.ts"

/** The databases of the projects on a server, and the template that they are cloned from. */
export interface TenantDatabases {
  nameOf(projectId: string): string
  /** The project whose database has a name that `nameOf` made. */
  projectOf(database: string): string
  /**
   * Clones the template, and answers what the clone's schema is. Rejects when the database exists. A failure leaves no
   * database behind.
   */
  create(projectId: string): Promise<Note>
  /** Drops a database, also while it is in use. */
  drop(projectId: string): Promise<void>
  /** Makes the template where there is none, or only older ones. */
  ensureTemplate(): Promise<void>
}

/** The parts of names under which the databases are found. */
export interface TenantNames {
  readonly prefix: string
  readonly controlDatabase: string
}

// So many connections a process has for creating and dropping, beside those of its pools. The others wait without one.
const atOnce = 2
// The server may still be cloning for a creation whose connection was lost.
const projectLockMillis = 30_000
// Another process makes the template in a second.
const templateLockMillis = 60_000
// The template was replaced meanwhile, or somebody looks into it: tried again after so long.
const templateErrors = new Set(["3D000", "55006"])
const pausesMillis = [200, 1_000]
const databaseExists = "42P04"

/** How the names begin of what an installation has beside the databases of its projects: other ones on the server have the same prefix. */
export const nameOwn = ({ prefix, controlDatabase }: TenantNames): string =>
  `${prefix}${createHash("sha256").update(controlDatabase).digest("hex").slice(0, 8)}_`

/**
 * How the names of an installation's templates begin. They are its own: only the role that made a database may clone it. Earlier releases
 * clone and drop what begins with the prefix and `template_`, which these do not.
 */
export const nameTemplates = (names: TenantNames): string => `${nameOwn(names)}template_`

/** Manages databases whose names begin with a prefix. */
export const tenantDatabases = (settings: ConnectionSettings, names: TenantNames, schema: Schema): TenantDatabases => {
  const { prefix, controlDatabase } = names
  const version = versionOf(schema)
  const template = nameTemplates(names)
  const unfinished = `${template}building`
  const permits = makeSemaphore(atOnce, () => {})
  const nameOf = (projectId: string) => {
    if (!isUuid(projectId)) throw new TypeError("The id of a project is a uuid.")
    return `${prefix}${projectId.replaceAll("-", "").toLowerCase()}`
  }

  /** Runs `work` on a connection to the control database, a few at once. */
  const inTurn = async <A>(work: (connection: Connection) => Promise<A>): Promise<A> => {
    await permits.acquire()
    try {
      return await withConnection(settings, controlDatabase, work)
    } finally {
      permits.release()
    }
  }

  /** The templates of this installation, the oldest first. */
  const listTemplates = async (connection: Connection) => {
    const { rows } = await connection.run({
      text: `select datname as name, shobj_description(oid, 'pg_database') as comment
             from pg_database where starts_with(datname, $1) and datname <> $2 order by datname collate "C"`,
      values: [template, unfinished],
    })
    const found = rows as ReadonlyArray<{ readonly name: string; readonly comment: string | null }>
    return found.map(({ name, comment }) => ({
      name,
      note: parseNote(comment) ?? { version: name.slice(template.length), needs: null },
    }))
  }

  const buildTemplate = async (connection: Connection) => {
    await dropDatabase(connection, unfinished)
    await createEmpty(connection, unfinished)
    const { note } = await withConnection(settings, unfinished, (own) => migrate(own, schema, { isNew: true }))
    await writeNote(connection, unfinished, note)
    // A template cannot be cloned while a client is connected to it, so connections are not allowed.
    await execute(connection, `alter database ${quoteIdentifier(unfinished)} with allow_connections false`)
    const name = `${template}${version}`
    await execute(connection, `alter database ${quoteIdentifier(unfinished)} rename to ${quoteIdentifier(name)}`)
    return { name, note }
  }

  /** Drops what earlier releases have cloned; those of another role stay. Where one still runs, it makes its own again. */
  const dropFormer = async (connection: Connection) => {
    const { rows } = await connection.run({
      text: `select datname as name from pg_database
             where starts_with(datname, $1) and pg_has_role(datdba, 'member') and substr(datname, length($1) + 1) ~ '^\\d{4}$'`,
      values: [`${prefix}template_`],
    })
    // One that is being cloned stays until the next template is made.
    for (const { name } of rows as ReadonlyArray<{ readonly name: string }>)
      await dropDatabase(connection, name).catch(() => {})
  }

  /** The newest template, perhaps of a later release that runs at the same time. Made when there is none or only older ones. */
  const findTemplate = async (connection: Connection) => {
    const findNewest = async () => {
      const newest = (await listTemplates(connection)).at(-1)
      return newest !== undefined && newest.name >= `${template}${version}` ? newest : null
    }
    const present = await findNewest()
    if (present !== null) return present
    if (!(await takeLock(connection, serverLock, templateLockMillis)))
      throw new Error("The template has been locked by another process for a minute: end that one.")
    try {
      const made = await findNewest()
      if (made !== null) return made
      const older = await listTemplates(connection)
      const built = await buildTemplate(connection)
      for (const { name } of older) await dropDatabase(connection, name)
      await dropFormer(connection)
      return built
    } finally {
      await releaseLock(connection, serverLock).catch(() => {})
    }
  }

  const dropDatabase = (connection: Connection, name: string) =>
    execute(connection, `drop database if exists ${quoteIdentifier(name)} with (force)`)

  const lockProject = async (connection: Connection, name: string) => {
    if (!(await takeLock(connection, projectLock(name), projectLockMillis)))
      throw new Error(`The database ${name} is being created or dropped by another process.`)
  }

  const drop = (name: string) =>
    inTurn(async (connection) => {
      await lockProject(connection, name)
      await dropDatabase(connection, name)
    })

  /** Clones the newest template, which may be replaced meanwhile. */
  const clone = async (connection: Connection, name: string, onBegin: () => void, tries = 0): Promise<Note> => {
    const source = await findTemplate(connection)
    const { needs } = source.note
    if (needs !== null && isTooOldFor(schema, needs)) throw new ReleaseTooOld(source.name, needs, schema.release)
    try {
      onBegin()
      await execute(connection, `create database ${quoteIdentifier(name)} template ${quoteIdentifier(source.name)}`)
    } catch (error) {
      const millis = pausesMillis[tries]
      if (millis === undefined || !templateErrors.has(readSqlState(error) ?? "")) throw error
      await pause(millis)
      return clone(connection, name, onBegin, tries + 1)
    }
    await writeNote(connection, name, source.note)
    return source.note
  }

  return {
    nameOf,
    projectOf: (database) =>
      database.slice(prefix.length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    create: async (projectId) => {
      const name = nameOf(projectId)
      let begun = false
      try {
        return await inTurn(async (connection) => {
          await lockProject(connection, name)
          if (await hasDatabase(connection, name)) throw new Error(`The database ${name} is there already.`)
          return await clone(connection, name, () => {
            begun = true
          })
        })
      } catch (error) {
        // On a new connection, because the old one may have failed; under the lock, because the server may still be cloning.
        if (begun && readSqlState(error) !== databaseExists) await drop(name).catch(() => {})
        throw error
      }
    },
    drop: (projectId) => drop(nameOf(projectId)),
    ensureTemplate: () => inTurn(async (connection) => void (await findTemplate(connection))),
  }
}
