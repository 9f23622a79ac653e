import pg from "pg"
import { type Connection, type ConnectionSettings, connect } from "../connections/connection.ts"

/** Quotes any name as an SQL identifier. */
export const quoteIdentifier = (name: string): string => pg.escapeIdentifier(name)

/** The SQLSTATE of an error of the server, also of one that was wrapped; null for any other. */
export const readSqlState = (error: unknown): string | null => {
  if (error instanceof pg.DatabaseError) return error.code ?? null
  return error instanceof Error && error.cause !== undefined ? readSqlState(error.cause) : null
}

// A process that was stopped, or whose machine is gone, must not keep its locks. No session here is idle for this long.
const endWhenIdle = {
  text: "select set_config(name, '60s', false) from pg_settings where name = 'idle_session_timeout'",
  values: [],
}

/** Runs `work` on a connection of its own, without a statement timeout. Its locks end with it. */
export const withConnection = async <A>(
  settings: ConnectionSettings,
  database: string,
  work: (connection: Connection) => Promise<A>,
): Promise<A> => {
  const connection = await connect({ ...settings, statementMillis: 0, idleInTransactionMillis: 0 }, database)
  try {
    await connection.run(endWhenIdle)
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Runs a statement without values. */
export const execute = async (connection: Connection, text: string): Promise<void> => {
  await connection.run({ text, values: [] })
}

/** Whether a database exists. */
export const hasDatabase = async (connection: Connection, database: string): Promise<boolean> => {
  const { rowCount } = await connection.run({
    text: "select 1 from pg_database where datname = $1",
    values: [database],
  })
  return rowCount > 0
}

/**
 * Creates an empty database in which text sorts by code point, and letters of all languages have their upper and lower
 * case. Before version 17 the server knows only the locales of its machine, and some machines have only "C".
 */
export const createEmpty = async (connection: Connection, database: string): Promise<void> => {
  const { rows } = await connection.run({
    text: `select current_setting('server_version_num')::int >= 170000 as has_builtin,
                  (select min(collctype) from pg_collation where collprovider = 'c' and collctype ilike 'c.utf%8') as ctype`,
    values: [],
  })
  const { ctype, has_builtin } = rows[0] as { readonly has_builtin: boolean; readonly ctype: string | null }
  const locale = has_builtin
    ? "locale_provider builtin builtin_locale 'C.UTF-8' lc_collate 'C' lc_ctype 'C'"
    : `lc_collate 'C' lc_ctype ${pg.escapeLiteral(ctype ?? "C")}`
  await execute(connection, `create database ${quoteIdentifier(database)} template template0 encoding 'UTF8' ${locale}`)
}
