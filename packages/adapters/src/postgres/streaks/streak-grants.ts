import type { StreakGrantRow, UserStreaks } from "@hearth/core"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { isOfKeys, keyColumns } from "./streak-keys.ts"

const columns = `id, app_user_id, streak_definition_id, from_period, count, granted_at`

/** The freezes that were granted. */
export const makeStreakGrants = (statements: Statements): Pick<UserStreaks, "addGrant" | "grants"> => ({
  addGrant: ({ id, app_user_id, streak_definition_id, from_period, count, granted_at }) =>
    Effect.asVoid(
      statements.rows(`insert into streak_grants (${columns}) values ($1, $2, $3, $4, $5, $6)`, [
        id,
        app_user_id,
        streak_definition_id,
        from_period,
        count,
        granted_at,
      ]),
    ),
  grants: (keys) =>
    statements.rows<StreakGrantRow>(
      `select ${columns} from streak_grants where ${isOfKeys}
       order by app_user_id, streak_definition_id, from_period, granted_at, id`,
      keyColumns(keys),
    ),
})
