import { RefusedCallRow, type RefusedCalls } from "@hearth/core/refusals"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { rowSet } from "../sql/row-set.ts"

const set = rowSet(RefusedCallRow)
const columns = set.columns.join(", ")
const key = ["project_id", "caller", "method", "path", "status", "code"]

// Rows that another server writes at the same time are left to it: they are not the ones to go.
const removeOld = `
  delete from refused_calls where id in (
    select id from refused_calls where last_at < $1 order by last_at limit 10000 for update skip locked)`

// In the order of the key, so that two servers that write the same rows wait for each other and no more.
const add = `
  with here as (select id from projects where id = any($1::uuid[]) order by id for key share)
  insert into refused_calls as r (${columns})
  select ${set.columns.map((name) => `given.${name}`).join(", ")}
  from ${set.from(2)} join here on here.id = given.project_id
  order by ${key.map((name) => `given.${name}`).join(", ")}
  on conflict (${key.join(", ")}) do update set
    count = least(r.count::bigint + excluded.count, 2147483647)::int,
    first_at = least(r.first_at, excluded.first_at),
    last_at = greatest(r.last_at, excluded.last_at),
    message = case when excluded.last_at >= r.last_at then excluded.message else r.message end,
    request_id = case when excluded.last_at >= r.last_at then excluded.request_id else r.request_id end`

const removeExcess = `
  delete from refused_calls where id in (
    select id from refused_calls where id in (
      select id from (
        select id, row_number() over (partition by project_id, caller order by last_at desc, id) as place
        from refused_calls where project_id = any($1::uuid[])
      ) as placed where place > $2
    ) for update skip locked)`

/** Refused calls of all projects. */
export const makeRefusedCalls = (statements: Statements): RefusedCalls => ({
  add: Effect.fnUntraced(function* (rows, { since, most }) {
    const projects = [...new Set(rows.map(({ project_id }) => project_id))]
    yield* statements.rows(removeOld, [since])
    yield* statements.rows(add, [projects, ...set.values(rows)])
    yield* statements.rows(removeExcess, [projects, most])
  }),
  page: Effect.fnUntraced(function* (projectId, { code, status, since }, { limit, offset }) {
    const source = `from refused_calls where project_id = $1 and last_at >= $2
      and ($3::text is null or code = $3) and ($4::int is null or status = $4)`
    const values = [projectId, since, code, status]
    const [counted] = yield* statements.rows<{ readonly total: number }>(
      `select count(*)::int as total ${source}`,
      values,
    )
    const rows = yield* statements.rows<RefusedCallRow>(
      `select ${columns} ${source} order by last_at desc, id limit $5 offset $6`,
      [...values, limit, offset],
    )
    return { rows, total: counted?.total ?? 0 }
  }),
})
