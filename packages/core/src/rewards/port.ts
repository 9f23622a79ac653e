import { Schema } from "effect"
import type { Table } from "../ports/table.ts"
import { JsonObject, Timestamp, text, Uuid } from "../schema.ts"

/** What a cause has given a user. Unique: `cause` [G5.1]. */
export const GivenRewardRow = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  /** Identifies why it was given, so that it is given once: `<feature>/<cause>`, for example `stores/<purchase id>`. */
  cause: text(1, 255),
  /** As it was answered. */
  reward: JsonObject,
  given_at: Timestamp,
})
export type GivenRewardRow = typeof GivenRewardRow.Type

/** What a project's database has for rewards. */
export interface RewardsDb {
  /** Unique: `cause`. Removed with their user. */
  readonly givenRewards: Table<GivenRewardRow>
}
