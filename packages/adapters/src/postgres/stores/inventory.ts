import { type Inventory, type InventoryItem, type InventoryRow, mostOwned, type OwnedItems } from "@hearth/core/stores"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

// The rows are locked in one order. What is added is at most what there is room for: the rest would pass the bound of the column.
const add = `
  with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[])
      with ordinality as g (id, app_user_id, catalog_item_id, quantity, ordinal)
  ), present as materialized (
    select i.id, i.app_user_id, i.catalog_item_id, i.quantity from inventory i
    join given g on g.app_user_id = i.app_user_id and g.catalog_item_id = i.catalog_item_id
    order by i.app_user_id, i.catalog_item_id for no key update of i
  ), fitting as materialized (
    select g.*, least(g.quantity, $6::int - coalesce(p.quantity, 0)) as added
    from given g left join present p on p.app_user_id = g.app_user_id and p.catalog_item_id = g.catalog_item_id
  ), written as (
    insert into inventory as i (id, app_user_id, catalog_item_id, quantity, acquired_at, updated_at)
    select id, app_user_id, catalog_item_id, added, $5, $5 from fitting where added > 0
    order by app_user_id, catalog_item_id
    on conflict (app_user_id, catalog_item_id)
      do update set quantity = i.quantity + excluded.quantity, updated_at = excluded.updated_at
  )
  select app_user_id, catalog_item_id, added as quantity from fitting order by ordinal`

const page = `
  select i.catalog_item_id, c.key, c.name, c.icon_url, c.item_type, i.quantity, i.acquired_at
  from inventory i join catalog_items c on c.id = i.catalog_item_id
  where i.app_user_id = $1 order by i.acquired_at desc, i.id limit $2 offset $3`

/** What users own. */
export const makeInventory = (statements: Statements, shape: TableShape): Inventory => ({
  ...makeTable<InventoryRow>(statements, shape),
  add: (items, at) =>
    statements.rows<OwnedItems>(add, [
      items.map(({ id }) => id),
      items.map(({ app_user_id }) => app_user_id),
      items.map(({ catalog_item_id }) => catalog_item_id),
      items.map(({ quantity }) => quantity),
      at,
      mostOwned,
    ]),
  pageOfUser: Effect.fnUntraced(function* (userId, { limit, offset }) {
    const rows = yield* statements.rows<InventoryItem>(page, [userId, limit, offset])
    const counted = yield* statements.rows<{ readonly total: number }>(
      "select count(*)::int as total from inventory where app_user_id = $1",
      [userId],
    )
    return { rows, total: counted[0]?.total ?? 0 }
  }),
})
