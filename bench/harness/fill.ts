import type pg from "pg"

/** A key or an index of a table: how it is dropped, and how it is made. */
interface Index {
  readonly name: string
  readonly drop: string
  readonly make: string
}

const keysOf = `
  select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
  from pg_constraint k where conrelid = $1::regclass and contype in ('p', 'u')
    and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = k.conindid)`

const indexesOf = `
  select relname as name, format('drop index %I', relname) as drop, pg_get_indexdef(indexrelid) as make
  from pg_index join pg_class on oid = indexrelid
  where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`

/**
 * Runs statements that fill a table, and makes its keys and indexes afterwards: for millions of rows that takes a fraction of the
 * time. Those named in `left` are not made again; keys that other tables reference stay.
 */
export const fillTable = async (
  database: pg.Client,
  table: string,
  statements: ReadonlyArray<string>,
  left: ReadonlyArray<string> = [],
): Promise<void> => {
  const read = async (text: string) => (await database.query<Index>(text, [table])).rows
  const indexes = [...(await read(keysOf)), ...(await read(indexesOf))]
  for (const { drop } of indexes) await database.query(drop)
  for (const statement of statements) await database.query(statement)
  await database.query("set maintenance_work_mem = '512MB'")
  for (const { name, make } of indexes) if (!left.includes(name)) await database.query(make)
  await database.query("reset maintenance_work_mem")
}
