import type {
  ContentDeliveries,
  ContentDelivery,
  ContentScheduleRow,
  ContentSchedules,
  Drawn,
  Pickable,
  PickFrom,
  TodaysItem,
} from "@hearth/core/content"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, type Measured, readCut } from "../sql/cut-page.ts"
import { makeTable } from "../sql/table.ts"
import { itemBytes } from "./items.ts"

// "hear", "sche". Locks of this kind are known in one database only.
const lockCreation = "select pg_advisory_xact_lock(1751474546, 1935894629)"

/** Schedules in PostgreSQL. */
export const makeSchedules = (statements: Statements, shape: TableShape): ContentSchedules => {
  const columns = shape.columns.join(", ")
  const count = () =>
    Effect.map(
      statements.rows<{ readonly count: number }>("select count(*)::int from content_schedules"),
      ([row]) => row?.count ?? 0,
    )
  return {
    ...makeTable<ContentScheduleRow>(statements, shape),
    count,
    lockCreation: () => Effect.asVoid(statements.rows(lockCreation)),
    lockOfLibrary: (libraryId) =>
      statements.rows<ContentScheduleRow>(
        `select ${columns} from content_schedules where library_id = $1 order by id for no key update`,
        [libraryId],
      ),
    pageWithLibraries: Effect.fnUntraced(function* ({ limit, offset }) {
      const rows = yield* statements.rows<ContentScheduleRow & { readonly library_name: string }>(
        `select ${shape.columns.map((column) => `s.${column}`).join(", ")}, l.name as library_name
         from content_schedules s join content_libraries l on l.id = s.library_id
         order by s.created_at, s.id limit $1 offset $2`,
        [limit, offset],
      )
      return { rows, total: yield* count() }
    }),
  }
}

/** What schedules pick from, of the library `$1`, with what users have written where `$2` says so. */
const pickable = `i.library_id = $1 and i.is_active and i.moderation = 'shown'
  and (i.owner_app_user_id is null or $2::boolean)`

const drawn = (kind: "unseen" | "other" | "last", condition: string) => `(
  select '${kind}' as kind, id from drawable where ${condition} order by place
  limit 1 offset floor($6::float8 * (select count(*) from drawable where ${condition}))
)`

// One look at the library, by an index in the order of places.
const draw = `
  with drawable as materialized (
    select i.id, row_number() over (order by i.sort_order, i.id) as place, i.id is not distinct from $5::uuid as is_last,
      not exists (
        select from content_deliveries d where d.schedule_id = $3 and d.round = $4::int and d.item_id = i.id
      ) as is_unseen
    from content_items i where ${pickable}
  )
  select drawn.kind, i.id, i.sort_order, i.title from (
    ${drawn("unseen", "is_unseen")} union all ${drawn("other", "not is_last")} union all ${drawn("last", "is_last")}
  ) as drawn join content_items i on i.id = drawn.id`

// What a `random` schedule has shown in its round is still asked for. `offset 0` makes it a look at the schedule per delivery, in the
// order of the index: of few schedules the planner believes that none is of another kind, and would join and sort all deliveries.
const passed = `content_deliveries d where exists (
  select from content_schedules s where s.id = d.schedule_id and (s.schedule_type <> 'random' or d.round <> s.round) offset 0
)`

const removeOld = `
  delete from content_deliveries where id = any(array(
    select d.id from ${passed} and d.delivered_at < $1 order by d.delivered_at, d.id limit $2 for update of d skip locked
  ))`

const oldest = `select d.delivered_at from ${passed} order by d.delivered_at, d.id limit 1`

const inOrder = "select i.id, i.sort_order, i.title from content_items i where"

const today = `d.delivered_at >= $1 and d.delivered_at < $2 and i.is_active
  and (i.moderation = 'shown' or (i.moderation = 'held' and i.owner_app_user_id = $3::uuid))`
const delivered = `content_deliveries d join content_schedules s on s.id = d.schedule_id
  join content_items i on i.id = d.item_id where ${today}`

type TodaysRow = TodaysItem & Measured & { readonly delivery_id: string }

/** What schedules have delivered, and what they pick from, in PostgreSQL. */
export const makeDeliveries = (
  statements: Statements,
  shape: TableShape,
  { columns: itemColumns }: TableShape,
): ContentDeliveries => {
  const values = ({ library_id, include_authored }: PickFrom) => [library_id, include_authored]
  return {
    ...makeTable<ContentDelivery>(statements, shape),
    listPickable: (from, after, limit) =>
      after === null
        ? statements.rows<Pickable>(`${inOrder} ${pickable} order by i.sort_order, i.id limit $3`, [
            ...values(from),
            limit,
          ])
        : statements.rows<Pickable>(
            `${inOrder} ${pickable} and (i.sort_order, i.id) > ($4::int, $5::uuid)
             order by i.sort_order, i.id limit $3`,
            [...values(from), limit, after.sort_order, after.id],
          ),
    draw: ({ schedule_id, round, last_item_id, ...from }, fraction) =>
      Effect.map(
        statements.rows<Pickable & { readonly kind: keyof Drawn<Pickable> }>(draw, [
          ...values(from),
          ...[schedule_id, round, last_item_id, fraction],
        ]),
        (rows) => {
          const find = (wanted: keyof Drawn<Pickable>) => {
            const row = rows.find(({ kind }) => kind === wanted)
            return row === undefined ? null : { id: row.id, sort_order: row.sort_order, title: row.title }
          }
          return { unseen: find("unseen"), other: find("other"), last: find("last") }
        },
      ),
    removeOld: (before, limit) => statements.count(removeOld, [before, limit]),
    oldest: () => statements.instant(oldest),
    pageBetween: Effect.fnUntraced(function* (from, until, reader, { limit, offset }) {
      const page = `
        select s.name as schedule_name, s.schedule_type, d.delivered_at, d.id as delivery_id,
          ${itemColumns.map((column) => `i.${column}`).join(", ")}
        from ${delivered} order by d.delivered_at desc, d.id desc limit $4 offset $5`
      const cut = cutPage(page, "delivered_at desc, delivery_id desc", itemBytes)
      const found = yield* statements.rows<TodaysRow>(cut, [from, until, reader, limit, offset])
      const { rows, ...cutShort } = readCut(found)
      const [counted] = yield* statements.rows<{ readonly total: number }>(
        `select count(*)::int as total from ${delivered}`,
        [from, until, reader],
      )
      return { rows: rows.map(({ delivery_id: _, ...row }) => row), total: counted?.total ?? 0, ...cutShort }
    }),
  }
}
