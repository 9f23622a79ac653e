import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

/**
 * Removes up to `limit` rows of a user from a table, and answers how many. Rows that others have locked are passed over. The rows are
 * found again by their places: by their keys, a piece of thousands would be compared with all of a table of a million.
 */
export const removeOfUser = (
  statements: Pick<Statements, "rows">,
  table: string,
  userId: string,
  limit: number,
): Effect.Effect<number> =>
  Effect.map(
    statements.rows<{ readonly removed: number }>(
      `with chosen as materialized (
         select ctid as place from ${table} where app_user_id = $1 limit $2 for update skip locked
       ), gone as (
         delete from ${table} where ctid = any(array(select place from chosen))
       )
       select count(*)::int as removed from chosen`,
      [userId, limit],
    ),
    ([row]) => row?.removed ?? 0,
  )
