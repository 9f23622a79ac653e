import { UserStreak, type UserStreaks } from "@hearth/core/streaks"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"
import { makeStreakGrants } from "./streak-grants.ts"
import { isOfKeys, keyColumns } from "./streak-keys.ts"
import { makeStreakPeriods } from "./streak-periods.ts"

const saved = rowSet(UserStreak)
const columns = saved.columns.join(", ")
const key = new Set(["id", "app_user_id", "streak_definition_id"])
const changes = saved.columns.filter((column) => !key.has(column)).map((column) => `${column} = excluded.${column}`)

const save = `
  insert into user_streaks (${columns})
  select ${columns} from ${saved.from(1)} order by app_user_id, streak_definition_id
  on conflict (id) do update set ${changes.join(", ")}`

/** The streaks of users. Locks of several are taken in the order of their keys. */
export const makeUserStreaks = (statements: Statements, shape: TableShape): UserStreaks => {
  const streaks = `select ${shape.columns.join(", ")} from user_streaks`
  return {
    ...makeTable<UserStreak>(statements, shape),
    ...makeStreakPeriods(statements),
    ...makeStreakGrants(statements),
    ofUsers: (userIds) => statements.rows<UserStreak>(`${streaks} where app_user_id = any($1::uuid[])`, [userIds]),
    lockMany: (keys) =>
      statements.rows<UserStreak>(
        `${streaks} where ${isOfKeys} order by app_user_id, streak_definition_id for no key update`,
        keyColumns(keys),
      ),
    save: (changed) => Effect.asVoid(statements.rows(save, saved.values(changed))),
    lockExpired: (now, limit) =>
      statements.rows<UserStreak>(
        `${streaks} where expires_at <= $1 order by expires_at, id limit $2 for no key update skip locked`,
        [now, limit],
      ),
    nextExpiry: () =>
      Effect.map(
        statements.rows<{ readonly next: Date | null }>(`select min(expires_at) as next from user_streaks`),
        ([row]) => row?.next ?? null,
      ),
    lockOfDefinition: (definitionId, afterUserId, limit) =>
      statements.rows<UserStreak>(
        `${streaks} where streak_definition_id = $1 and ($2::uuid is null or app_user_id > $2)
         order by app_user_id limit $3 for no key update`,
        [definitionId, afterUserId, limit],
      ),
  }
}
