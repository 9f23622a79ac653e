/**
 * In all statements: the snapshot that is read, the first transaction that had not begun by then, and how many have begun since the oldest
 * one that `$1` does not have. `$1` is the snapshot from which on rows are new, `$2` the one up to which they are, null for the present,
 * `$3` the least id.
 */
export const taken = `
  taken as materialized (
    select pg_current_snapshot() as snapshot, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next,
      age((pg_snapshot_xmin($1::pg_snapshot)::text::bigint % 4294967296)::text::xid) as span, $1::pg_snapshot as after,
      coalesce($2::pg_snapshot, pg_current_snapshot()) as upto
  )`

/** The whole id of the transaction that wrote a row: the column has its lower half. A row that is seen was written before `next`. */
export const xidSql = (alias: string): string => `(
  taken.next - taken.next % 4294967296 + ${alias}.xmin::text::bigint
  - case when ${alias}.xmin::text::bigint >= taken.next % 4294967296 then 4294967296 else 0 end)`

/** Whether a row is new. The first comparison spares most rows the others, and is one call for each. */
export const isNew = (alias: string): string => `
  case when age(${alias}.xmin) > taken.span then false
  else not pg_visible_in_snapshot(${xidSql(alias)}::text::xid8, taken.after)
    and pg_visible_in_snapshot(${xidSql(alias)}::text::xid8, taken.upto) end`

/** What is known of the database: how long the oldest transaction has run that may have made ids before it commits. */
export const runningMillis = `
  (select coalesce(extract(epoch from clock_timestamp() - min(xact_start)) * 1000, 0)::float8
   from pg_stat_activity where datname = current_database() and backend_xid is not null)`
