import type { TenantDb } from "@hearth/core"
import type { GivenRewardRow } from "@hearth/core/rewards"
import { Effect } from "effect"
import { anId, builtAt } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, instantsInOrder } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"

/** What was given, in the table suite. */
export const givenRewards: TableCase<TenantDb, GivenRewardRow> = {
  name: "given rewards",
  table: (db) => db.givenRewards,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    const id = anId()
    return { id, cause: `stores/${id}`, reward: { skipped: [] }, given_at: new Date(builtAt), ...given, app_user_id }
  }),
  samples: [
    { reward: awkwardJson, given_at: awkwardInstant },
    { cause: awkwardText, reward: {} },
  ],
  unique: [["cause"]],
  sorting: { column: "given_at", ascending: instantsInOrder },
}
