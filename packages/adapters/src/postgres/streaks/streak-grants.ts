import { StreakGrantRow, type UserStreaks } from "@hearth/core/streaks"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { rowSet } from "../sql/row-set.ts"
import { isOfKeys, keyColumns } from "./streak-keys.ts"

const granted = rowSet(StreakGrantRow)
const columns = granted.columns.join(", ")

/** The freezes that were granted. */
export const makeStreakGrants = (statements: Statements): Pick<UserStreaks, "addGrant" | "grants"> => ({
  addGrant: (grant) =>
    Effect.asVoid(
      statements.rows(
        `insert into streak_grants (${columns}) select ${columns} from ${granted.from(1)}`,
        granted.values([grant]),
      ),
    ),
  grants: (keys) =>
    statements.rows<StreakGrantRow>(
      `select ${columns} from streak_grants where ${isOfKeys}
       order by app_user_id, streak_definition_id, from_period, granted_at, id`,
      keyColumns(keys),
    ),
})
