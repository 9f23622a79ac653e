import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import type { Connection } from "../connections/connection.ts"
import { MigratedElsewhere, ReleaseTooOld, SchemaMissing, StepFailed } from "./failures.ts"
import { type AdvisoryLock, releaseLock, schemaLock, takeLock } from "./locks.ts"
import type { SchemaStep } from "./migration.ts"
import { areOptional, formatNote, isTooOldFor, type Note, pickLater } from "./note.ts"
import type { Schema } from "./schema.ts"
import { execute, quoteIdentifier, readSqlState } from "./server.ts"

// A statement that waits for a table lock makes everybody behind it wait, so it gives up soon and is tried again.
const lockMillis = 1_000
const triesAfterMillis = [0, 250, 1_000]
// Its index is built after everybody who was writing has finished; nobody waits for it meanwhile.
const indexLockMillis = 60_000
// How long it waits for another process that has the lock of the schema.
const elsewhereMillis = 5_000

/** Where a database notes the steps that it has. */
export const migrationsTable = "mikro_orm_migrations"

const table = migrationsTable

/** The steps that a database has, by name, and what it needs; null where it has none. */
const readApplied = async (connection: Connection) => {
  const found = await connection.run({ text: `select to_regclass('${table}') is not null as exists`, values: [] })
  if (!(found.rows[0] as { readonly exists: boolean }).exists) return null
  // Earlier releases made the table without `needs`.
  const { rows } = await connection.run({
    text: `select name, to_jsonb(m) ->> 'needs' as needs from ${table} m`,
    values: [],
  })
  const steps = rows as ReadonlyArray<{ readonly name: string; readonly needs: string | null }>
  if (steps.length === 0) return null
  return {
    names: new Set(steps.map(({ name }) => name)),
    needs: steps.map(({ needs }) => needs).reduce(pickLater, null),
    version:
      steps
        .map(({ name }) => name.slice(0, 4))
        .sort()
        .at(-1) ?? "0000",
  }
}

const begin = (millis: number) => `begin; set local lock_timeout = ${millis}`

const noteTable = [
  `create table if not exists ${table} (id serial primary key, name varchar(255), executed_at timestamptz default current_timestamp)`,
  `alter table ${table} add column if not exists needs text`,
]

const makeTable = [begin(lockMillis), ...noteTable, "commit"].join(";\n")

const mark = ({ name, needs }: SchemaStep) =>
  `insert into ${table} (name, needs) values (${pg.escapeLiteral(name)}, ${needs === undefined ? "null" : pg.escapeLiteral(needs)})`

/**
 * The statements that make the tables of an empty database as these steps do, for a transaction: nobody uses it yet, so no index
 * is built concurrently.
 */
export const createTables = (steps: ReadonlyArray<SchemaStep>): ReadonlyArray<string> => [
  ...noteTable,
  ...steps.flatMap((step) => [
    ...step.statements.map((statement) =>
      step.concurrently === undefined ? statement : statement.replace(" concurrently ", " "),
    ),
    mark(step),
  ]),
]

/** Runs several statements in one round trip. Of those in a transaction none is kept when one fails. */
const runAll = async (connection: Connection, statements: string) => {
  try {
    await execute(connection, statements)
  } catch (error) {
    await execute(connection, "rollback").catch(() => {})
    throw error
  }
}

const buildIndex = async (connection: Connection, step: SchemaStep, index: string) => {
  const { rows } = await connection.run({
    text: "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
    values: [index],
  })
  const [present] = rows as ReadonlyArray<{ readonly valid: boolean }>
  await execute(connection, `set lock_timeout = ${indexLockMillis}`)
  if (present?.valid === false) await execute(connection, `drop index concurrently ${quoteIdentifier(index)}`)
  if (present?.valid !== true) for (const statement of step.statements) await execute(connection, statement)
  await execute(connection, mark(step))
}

const runStep = (connection: Connection, step: SchemaStep): Promise<void> =>
  step.concurrently === undefined
    ? runAll(connection, [begin(lockMillis), ...step.statements, mark(step), "commit"].join(";\n"))
    : buildIndex(connection, step, step.concurrently)

// A lock that was not free, and a deadlock.
const isPassing = (error: unknown) => ["55P03", "40P01"].includes(readSqlState(error) ?? "")

const tryStep = async (connection: Connection, step: SchemaStep): Promise<void> => {
  for (const [at, millis] of triesAfterMillis.entries()) {
    if (millis > 0) await pause(millis)
    try {
      return await runStep(connection, step)
    } catch (error) {
      const isLast = at === triesAfterMillis.length - 1 || step.concurrently !== undefined
      if (isLast || !isPassing(error)) throw new StepFailed(step.name, error)
    }
  }
}

/** Writes the note into the comment of a database, unless it says that already. */
export const writeNote = async (connection: Connection, name: string, note: Note): Promise<void> => {
  const text = formatNote(note)
  const { rows } = await connection.run({
    text: "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
    values: [name],
  })
  if ((rows[0] as { readonly comment: string | null } | undefined)?.comment === text) return
  await execute(connection, `comment on database ${quoteIdentifier(name)} is ${pg.escapeLiteral(text)}`)
}

/** How a database is migrated. */
export interface MigrateOptions {
  /** Whether a database without any step is a new one. Otherwise it is refused with `SchemaMissing`. */
  readonly isNew?: boolean
  /** Under which only one process migrates it; the schema's own lock, for five seconds, where left out. */
  readonly lock?: AdvisoryLock
  readonly lockMillis?: number
  /** Called when the database can be used: only indexes are missing. */
  readonly onUsable?: () => void
}

/** What became of a database. */
export interface Migrated {
  /** What its comment should say. */
  readonly note: Note
  /** The version that it had; `0000` where it had none. */
  readonly from: string
  /** Whether anything was missing, also where another process has done it meanwhile. */
  readonly changed: boolean
  /** The names of the steps that were done here. */
  readonly steps: ReadonlyArray<string>
}

/**
 * Brings the database that `connection` is to up to the schema. A lock is taken only where a step is missing. Any number of
 * processes may do so at once. Rejects with `StepFailed`, `ReleaseTooOld`, `SchemaMissing` or `MigratedElsewhere`, or
 * because the connection is lost; the steps that were done by then are kept.
 */
export const migrate = async (
  connection: Connection,
  schema: Schema,
  {
    isNew = false,
    lock = schemaLock,
    lockMillis: patience = elsewhereMillis,
    onUsable = () => {},
  }: MigrateOptions = {},
): Promise<Migrated> => {
  const look = async () => {
    const applied = await readApplied(connection)
    if (applied === null && !isNew) throw new SchemaMissing(connection.database)
    const needs = applied?.needs ?? null
    if (needs !== null && isTooOldFor(schema, needs))
      throw new ReleaseTooOld(connection.database, needs, schema.release)
    const missing = schema.steps.filter(({ name }) => applied?.names.has(name) !== true)
    if (applied !== null && areOptional(missing)) onUsable()
    return { missing, note: { version: applied?.version ?? "0000", needs } }
  }
  const first = await look()
  if (first.missing.length === 0) return { note: first.note, from: first.note.version, changed: false, steps: [] }
  if (!(await takeLock(connection, lock, patience))) throw new MigratedElsewhere(connection.database)
  // Another process may have done some of it, or all, while this one waited.
  const { missing, note: found } = await look()
  if (missing.length > 0) await runAll(connection, makeTable)
  for (const [at, step] of missing.entries()) {
    await tryStep(connection, step)
    if (areOptional(missing.slice(at + 1))) onUsable()
  }
  const { note } = await look()
  await releaseLock(connection, lock)
  return { note, from: found.version, changed: true, steps: missing.map(({ name }) => name) }
}
