import type { ConnectionSettings, Statement } from "../connections/connection.ts"
import { ConnectionLost } from "../connections/connection-lost.ts"
import { type CommentRow, findDatabase, listOwnDatabases } from "./comments.ts"
import { MigratedElsewhere, ReleaseTooOld, SchemaMissing } from "./failures.ts"
import { migrate, writeNote } from "./migrate.ts"
import { isTooOldFor, isUpToDate, type Note, parseNote } from "./note.ts"
import type { Schema } from "./schema.ts"
import { readSqlState, withConnection } from "./server.ts"

/**
 * What keeps a project's database from being used. `waiting`: its turn has not come. `failing`: the last try failed. `too-new`:
 * it needs a later release. `empty`: it has no schema at all.
 */
export type Hindrance = "waiting" | "failing" | "too-new" | "empty"

/** A project's database that does not have the present schema. */
export interface Behind {
  readonly hindrance: Hindrance
  /** Whether it is used all the same, because only indexes are missing. */
  readonly isUsable: boolean
  /** When it was last tried, in milliseconds of `performance.now()`; null where it was not. */
  readonly triedAt: number | null
  /** What failed last; for the log. */
  readonly cause: unknown
}

/** One try to bring a database up to date. Neither promise rejects. */
export interface Try {
  /** When the database can be used, or the try has ended. */
  readonly usable: Promise<void>
  /** Whether anything was missing or wrong. */
  readonly changed: Promise<boolean>
}

/** What is known about the schemas of the projects' databases. */
export interface TenantSchemas {
  /** Whether a database may be used, as far as is known. */
  readonly isUsable: (database: string) => boolean
  /** The databases that are not up to date. */
  readonly behind: ReadonlyMap<string, Behind>
  readonly countCurrent: () => number
  /** Notes the schema that a database was made with. */
  readonly setNote: (database: string, note: Note) => void
  readonly forget: (database: string) => void
  /** Reads the comment of a database, and notes what it says; false where there is no such database. */
  readonly look: (database: string) => Promise<boolean>
  /** Reads the comments of the databases of all projects. Those that are gone are forgotten. */
  readonly lookAtAll: () => Promise<void>
  /** Connects to a database and brings it up to date, whatever its comment says. Calls at the same time share one try. */
  readonly bringUpToDate: (database: string) => Try
  readonly isRunning: (database: string) => boolean
  /** Waits for the tries that are under way. */
  readonly settle: () => Promise<void>
}

/** What the schemas are looked after with. */
export interface TenantSchemasParts {
  readonly settings: ConnectionSettings
  readonly schema: Schema
  /** How the names of the databases begin. */
  readonly prefix: string
  /** The rows of a statement in the control database. */
  readonly inControl: (statement: Statement) => Promise<ReadonlyArray<unknown>>
  /** Called when a database cannot be brought up to date; again only when the reason is another one. */
  readonly onFailure: (database: string, cause: unknown) => void
  /** Called when steps that a database lacked have been done. */
  readonly onMigrated: (database: string, from: string, to: string, millis: number) => void
}

const findHindrance = (error: unknown): Hindrance => {
  if (error instanceof ReleaseTooOld) return "too-new"
  if (error instanceof SchemaMissing) return "empty"
  return error instanceof MigratedElsewhere ? "waiting" : "failing"
}

const noDatabase = "3D000"
const untried: Behind = { hindrance: "waiting", isUsable: false, triedAt: null, cause: null }

/** Looks after the schemas of databases whose names begin with a prefix. */
export const tenantSchemas = (parts: TenantSchemasParts): TenantSchemas => {
  const { settings, schema, prefix, inControl, onFailure, onMigrated } = parts
  const current = new Set<string>()
  const behind = new Map<string, Behind>()
  const running = new Map<string, Try>()

  const setBehind = (database: string, change: Partial<Behind>) => {
    current.delete(database)
    behind.set(database, { ...(behind.get(database) ?? untried), ...change })
  }

  const forget = (database: string) => {
    current.delete(database)
    behind.delete(database)
  }

  const setFailure = (database: string, cause: unknown, triedAt: number | null) => {
    const known = behind.get(database)?.cause ?? null
    setBehind(database, { hindrance: findHindrance(cause), triedAt, cause })
    if (known === null || String(known) !== String(cause)) onFailure(database, cause)
  }

  const setCurrent = (database: string) => {
    behind.delete(database)
    current.add(database)
  }

  /** What a comment says counts until the database itself has said something else. */
  const believe = (database: string, note: Note | null) => {
    const { hindrance, triedAt = null } = behind.get(database) ?? {}
    if (hindrance === "failing" || hindrance === "empty") return
    if (note !== null && isTooOldFor(schema, note.needs))
      setFailure(database, new ReleaseTooOld(database, note.needs ?? "", schema.release), triedAt)
    else if (note !== null && isUpToDate(schema, note)) setCurrent(database)
    else setBehind(database, { hindrance: "waiting" })
  }

  const run = async (database: string, onUsable: () => void): Promise<boolean> => {
    const began = performance.now()
    try {
      return await withConnection(settings, database, async (connection) => {
        const { note, from, changed, steps } = await migrate(connection, schema, { onUsable })
        await writeNote(connection, database, note)
        setCurrent(database)
        if (steps.length > 0) onMigrated(database, from, note.version, performance.now() - began)
        return changed
      })
    } catch (error) {
      // It was dropped, or a restore is under way: whoever uses it finds that out.
      if (readSqlState(error) === noDatabase) forget(database)
      // The server is away: nothing is known about the database, and nobody is kept from trying again.
      else if (error instanceof ConnectionLost)
        setBehind(database, { hindrance: "waiting", triedAt: null, cause: error })
      else setFailure(database, error, performance.now())
      return true
    }
  }

  const bringUpToDate = (database: string): Try => {
    const known = running.get(database)
    if (known !== undefined) return known
    const { promise: usable, resolve } = Promise.withResolvers<void>()
    const changed = run(database, () => {
      // What is current stays so: this may be only a check.
      if (!current.has(database)) setBehind(database, { isUsable: true })
      resolve()
    }).finally(() => {
      running.delete(database)
      resolve()
    })
    const started = { usable, changed }
    running.set(database, started)
    return started
  }

  const readComments = async (statement: Statement) => (await inControl(statement)) as ReadonlyArray<CommentRow>

  return {
    isUsable: (database) => current.has(database) || behind.get(database)?.isUsable === true,
    behind,
    countCurrent: () => current.size,
    setNote: believe,
    forget,
    look: async (database) => {
      const [row] = await readComments(findDatabase(database))
      if (row === undefined) forget(database)
      else believe(database, parseNote(row.comment))
      return row !== undefined
    },
    lookAtAll: async () => {
      const rows = await readComments(listOwnDatabases(prefix))
      const names = new Set(rows.map(({ name }) => name))
      for (const name of [...current, ...behind.keys()]) if (!names.has(name)) forget(name)
      for (const { name, comment } of rows) if (!running.has(name)) believe(name, parseNote(comment))
    },
    bringUpToDate,
    isRunning: (database) => running.has(database),
    settle: async () => void (await Promise.all([...running.values()].map(({ changed }) => changed))),
  }
}
