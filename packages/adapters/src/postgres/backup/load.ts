import { once } from "node:events"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { createTables, migrationsTable } from "../schema/migrate.ts"
import type { Schema } from "../schema/schema.ts"
import { quoteIdentifier } from "../schema/server.ts"
import { type Stop, whileNotStopped } from "./stoppable.ts"

const copyHeader = /^COPY "[a-z0-9_]+" \("[a-z0-9_]+"(?:, "[a-z0-9_]+")*\) FROM stdin;$/
const setvalLine = /^SELECT setval\('"[a-z0-9_]+"', -?\d+, true\);$/
const end = Buffer.from("\\.\n")
const newline = 0x0a

type CopyStream = ReturnType<typeof copyFrom>

/** Begins a COPY. What the server refuses of it rejects the next write, or its end. */
const beginCopy = (client: pg.Client, text: string): CopyStream => {
  const stream = client.query(copyFrom(text))
  stream.on("error", () => {})
  return stream
}

const finishCopy = async (stream: CopyStream): Promise<void> => {
  if (stream.errored) throw stream.errored
  const done = once(stream, "finish")
  stream.end()
  await done
}

const write = async (stream: CopyStream, data: Buffer): Promise<void> => {
  if (stream.errored) throw stream.errored
  if (data.length > 0 && !stream.write(data)) await once(stream, "drain")
}

/** Where the line begins that ends a block; -1 where it is not in `data`. */
const findEnd = (data: Buffer): number => {
  for (let at = data.indexOf(end); at >= 0; at = data.indexOf(end, at + 1))
    if (at === 0 || data[at - 1] === newline) return at
  return -1
}

/** Runs the statements of a dump. Nothing else than what a dump has is run. */
const runDump = async (client: pg.Client, source: AsyncIterable<Buffer>): Promise<void> => {
  let rest = Buffer.alloc(0)
  let copy: CopyStream | null = null
  try {
    for await (const chunk of source) {
      // Whole lines only: what ends a block is one.
      const joined = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const whole = joined.lastIndexOf(newline) + 1
      let data = joined.subarray(0, whole)
      rest = Buffer.from(joined.subarray(whole))
      while (data.length > 0) {
        if (copy !== null) {
          const at = findEnd(data)
          await write(copy, at < 0 ? data : data.subarray(0, at))
          if (at < 0) break
          await finishCopy(copy)
          copy = null
          data = data.subarray(at + end.length)
          continue
        }
        const length = data.indexOf(newline)
        const line = data.subarray(0, length).toString("utf8")
        data = data.subarray(length + 1)
        if (copyHeader.test(line)) copy = beginCopy(client, line)
        else if (setvalLine.test(line)) await client.query(line)
        else throw new Error(`The dump has a line that is none of a dump: ${JSON.stringify(line.slice(0, 80))}`)
      }
    }
    if (copy !== null || rest.length > 0) throw new Error("The dump ends in the middle.")
  } catch (error) {
    // The server waits for the end of a COPY that has begun, and the rollback behind it.
    copy?.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** Runs statements in one round trip. */
const runAll = (client: pg.Client, statements: ReadonlyArray<string>) => client.query(statements.join(";\n"))

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** How a database is loaded. */
export interface LoadOptions {
  readonly schema: Schema
  /** The steps that the dumped database had. */
  readonly steps: ReadonlyArray<string>
  readonly source: AsyncIterable<Buffer>
  readonly stop: Stop
  /** Run before the tables are made, and after they are filled, in the same transaction. From `after` on nothing stops it. */
  readonly before?: (client: pg.Client) => Promise<void>
  readonly after?: (client: pg.Client) => Promise<void>
  /** How the transaction is committed; plainly, where left out. */
  readonly commit?: (client: pg.Client) => Promise<void>
}

/**
 * Makes the tables that the dumped database had, and fills them. Foreign keys are checked after everything is there; triggers do not
 * run, because what they write is in the dump.
 */
const fill = async (client: pg.Client, { schema, steps, source, before }: LoadOptions): Promise<void> => {
  await before?.(client)
  const wanted = new Set(steps)
  await runAll(client, createTables(schema.steps.filter(({ name }) => wanted.has(name))))
  const tables = await client.query<{ readonly name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> $1",
    [migrationsTable],
  )
  const keys = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const alter = (name: string, change: string) => `alter table ${quoteIdentifier(name)} ${change}`
  await runAll(client, [
    ...keys.rows.map(({ table, name }) => `alter table ${table} drop constraint ${quoteIdentifier(name)}`),
    ...tables.rows.map(({ name }) => alter(name, "disable trigger user")),
  ])
  await runDump(client, source)
  await runAll(client, [
    ...tables.rows.map(({ name }) => alter(name, "enable trigger user")),
    ...keys.rows.map(
      ({ table, name, definition }) => `alter table ${table} add constraint ${quoteIdentifier(name)} ${definition}`,
    ),
  ])
}

/** Makes the tables of a dump in one transaction: all of it, or nothing, also where it is stopped. */
export const loadDatabase = async (client: pg.Client, options: LoadOptions): Promise<void> => {
  await client.query("begin")
  try {
    await whileNotStopped(client, options.stop, () => fill(client, options))
    await options.after?.(client)
    if (options.commit === undefined) await client.query("commit")
    else await options.commit(client)
  } catch (error) {
    await client.query("rollback").catch(() => {})
    throw error
  }
}
