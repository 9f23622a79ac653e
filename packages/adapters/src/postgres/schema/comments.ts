import type { Statement } from "../connections/connection.ts"

/** A database with its comment, which says its schema. */
export interface CommentRow {
  readonly name: string
  readonly comment: string | null
}

/** Asks for a database. Answers `CommentRow`, or nothing where it is not there. */
export const findDatabase = (name: string): Statement => ({
  text: "select datname as name, shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
  values: [name],
})

/**
 * Asks for the databases of an installation's projects, those included that are being made or removed. To be asked in its control
 * database: other installations may have theirs on the same server, with names that begin as these. Answers `CommentRow`s by name.
 */
export const listOwnDatabases = (prefix: string): Statement => ({
  text: `select d.datname as name, shobj_description(d.oid, 'pg_database') as comment
         from projects p join pg_database d on d.datname = $1::text || replace(p.id::text, '-', '') order by d.datname`,
  values: [prefix],
})
