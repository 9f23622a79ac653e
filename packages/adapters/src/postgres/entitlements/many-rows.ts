import type { StoredRecord } from "@hearth/core"
import type { EntitlementKey } from "@hearth/core/entitlements"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { rowSet } from "../sql/row-set.ts"

/** Rows of entitlements by their keys, many in one statement. */
export const makeManyRows = <Row extends EntitlementKey & { readonly id: string }>(
  statements: Statements,
  table: string,
  record: StoredRecord & { readonly Type: Row },
) => {
  const set = rowSet(record)
  const columns = set.columns.join(", ")
  const changes = set.columns.filter((column) => column !== "id").map((column) => `${column} = excluded.${column}`)
  const list = `
    select ${set.columns.map((column) => `t.${column}`).join(", ")} from ${table} t
    join (select distinct * from unnest($1::uuid[], $2::text[]) as given (app_user_id, entitlement_id)) as wanted
      using (app_user_id, entitlement_id)`
  const save = `
    insert into ${table} (${columns}) select ${columns} from ${set.from(1)} order by app_user_id, entitlement_id, id
    on conflict (id) do update set ${changes.join(", ")}`
  return {
    listMany: (keys: ReadonlyArray<EntitlementKey>) =>
      statements.rows<Row>(list, [
        keys.map(({ app_user_id }) => app_user_id),
        keys.map(({ entitlement_id }) => entitlement_id),
      ]),
    save: (rows: ReadonlyArray<Row>) => Effect.asVoid(statements.rows(save, set.values(rows))),
    removeMany: (ids: ReadonlyArray<string>) =>
      Effect.asVoid(statements.rows(`delete from ${table} where id = any($1::uuid[])`, [ids])),
  }
}
