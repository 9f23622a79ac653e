import { type AssetFilter, MediaAssetRow, type MediaAssets } from "@hearth/core/media"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut, textBytes } from "../sql/cut-page.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"

const rows = rowSet(MediaAssetRow)
const columns = rows.columns.join(", ")

const sumOf = `
  select count(*)::int as assets, coalesce(sum(size_bytes), 0)::float8 as bytes from media_assets where app_user_id = $1`

// The series ends: a clock that has been set back so far that all of it is taken shows up as a path that is taken.
const freeMillis = `
  select millis::float8 as millis from generate_series($2::bigint, $2::bigint + 10000) as millis
  where not exists (select from media_assets where path = $1 || '/' || millis || '_' || $3)
    and not exists (select from media_removals where path = $1 || '/' || millis || '_' || $3)
  order by millis limit 1`

const due = `
  select ${columns} from media_assets where check_at <= $1 order by check_at, id limit $2`

const nextCheckAt = "select min(check_at) as at from media_assets where check_at is not null"

const lockOf = `
  select ${columns} from media_assets
  where id in (select id from media_assets where app_user_id = $1 order by created_at, id limit $2)
  order by id for update`

const lockAll = `select ${columns} from media_assets where id = any($1::uuid[]) order by id for no key update`

const saveChecked = `
  update media_assets a set status = given.status, size_bytes = given.size_bytes, check_at = given.check_at
  from ${rows.from(1)} where a.id = given.id`

// Named here, because what callers name never becomes a part of a statement.
const narrowing = ["folder_id", "app_user_id"] as const

/** `where` of a filter whose first parameter is `$1`, and its values. */
const narrow = (filter: AssetFilter) => {
  const given = narrowing.flatMap((column) => (filter[column] === undefined ? [] : [[column, filter[column]] as const]))
  const conditions = given.map(([column], at) => `${column} = $${at + 1}`)
  return {
    where: conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`,
    values: given.map(([, value]) => value),
  }
}

const pageMatching = (statements: Statements): MediaAssets["pageMatching"] =>
  Effect.fnUntraced(function* (filter, { limit, offset }) {
    const { where, values } = narrow(filter)
    const [first, second] = [values.length + 1, values.length + 2]
    const order = "created_at desc, id desc"
    const page = `select ${columns} from media_assets ${where} order by ${order} limit $${first} offset $${second}`
    const cut = cutPage(page, order, `${textBytes("alt_text")} + ${jsonBytes("metadata")}`)
    const found = readCut<MediaAssetRow>(
      yield* statements.rows<MediaAssetRow & Measured>(cut, [...values, limit, offset]),
    )
    const isEnd = found.rows.length > 0 && found.rows.length < limit && found.is_cut !== true
    if (isEnd) return { ...found, total: offset + found.rows.length }
    const [counted] = yield* statements.rows<{ readonly total: number }>(
      `select count(*)::int as total from media_assets ${where}`,
      values,
    )
    return { ...found, total: counted?.total ?? 0 }
  })

/** The files of a project. */
export const makeMediaAssets = (statements: Statements, shape: TableShape): MediaAssets => ({
  ...makeTable<MediaAssetRow>(statements, shape),
  pageMatching: pageMatching(statements),
  sumOf: (userId) =>
    Effect.map(
      statements.rows<{ readonly assets: number; readonly bytes: number }>(sumOf, [userId]),
      ([sum]) => sum ?? { assets: 0, bytes: 0 },
    ),
  freeMillis: (projectId, millis, filename) =>
    Effect.map(
      statements.rows<{ readonly millis: number }>(freeMillis, [projectId, millis, filename]),
      ([free]) => free?.millis ?? millis,
    ),
  due: (now, limit) => statements.rows<MediaAssetRow>(due, [now, limit]),
  nextCheckAt: () => Effect.map(statements.rows<{ readonly at: Date | null }>(nextCheckAt), ([row]) => row?.at ?? null),
  lockOf: (userId, limit) => statements.rows<MediaAssetRow>(lockOf, [userId, limit]),
  lockAll: (ids) => (ids.length === 0 ? Effect.succeed([]) : statements.rows<MediaAssetRow>(lockAll, [ids])),
  saveChecked: (checked) =>
    checked.length === 0 ? Effect.void : Effect.asVoid(statements.rows(saveChecked, rows.values(checked))),
  removeAll: (ids) =>
    ids.length === 0
      ? Effect.void
      : Effect.asVoid(statements.rows("delete from media_assets where id = any($1::uuid[])", [ids])),
  move: (from, to) =>
    Effect.asVoid(statements.rows("update media_assets set folder_id = $2 where folder_id = $1", [from, to])),
})
