import type { TenantDb } from "@hearth/core"
import { GivenRewardRow, type RewardsDb } from "@hearth/core/rewards"
import { Effect } from "effect"
import { anId, builtAt } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, instantsInOrder } from "../contracts/awkward-values.ts"
import { type TableCase, tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable } from "../memory/table.ts"
import { writeUser } from "../users/tables.ts"

const givenRewardShape = describeTable("given rewards", GivenRewardRow, {
  unique: [["cause"]],
  parents: { app_user_id: "users" },
})

const givenRewards: TableCase<TenantDb, GivenRewardRow> = {
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

/** Rewards in tests: the table in memory, its contract suite. */
export const rewardsFeature: TenantFeature<RewardsDb> = {
  tenant: {
    shapes: [givenRewardShape],
    make: ({ statements }) => ({ givenRewards: memoryTable(statements, givenRewardShape) }),
    contracts: [(open) => tableContract(open, givenRewards)],
  },
}
