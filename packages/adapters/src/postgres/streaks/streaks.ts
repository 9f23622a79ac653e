import {
  type StreakDefinition,
  type StreakDefinitions,
  type StreakKey,
  UserStreak,
  type UserStreaks,
} from "@hearth/core/streaks"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { opaque } from "../sql/opaque.ts"
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

const ofDefinition = `
  select app_user_id, streak_definition_id from user_streaks
  where streak_definition_id = $1 and ($2::uuid is null or app_user_id > $2)`
const awaitingRebuild = `${ofDefinition} and (rules <> $4 or rebuild_from is not null) order by app_user_id limit $3`
const begunRebuilds = `${ofDefinition} and rebuild_from is not null order by app_user_id limit $3`

/** The definitions of streaks. */
export const makeStreakDefinitions = (statements: Statements, shape: TableShape): StreakDefinitions => ({
  ...makeTable<StreakDefinition>(statements, shape),
  lockMany: (ids) =>
    statements.rows<StreakDefinition>(
      `select ${shape.columns.join(", ")} from streak_definitions
       where id = any(${opaque("$1::uuid[]")}) order by id for key share`,
      [ids],
    ),
})

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
    save: (changed) => statements.send(save, saved.values(changed)),
    expired: (now, limit) =>
      statements.rows<UserStreak>(`${streaks} where expires_at <= $1 order by expires_at, id limit $2`, [now, limit]),
    nextExpiry: () => statements.instant("select min(expires_at) from user_streaks"),
    awaitingRebuild: (definitionId, rules, afterUserId, limit) =>
      statements.rows<StreakKey>(rules === null ? begunRebuilds : awaitingRebuild, [
        definitionId,
        afterUserId,
        limit,
        ...(rules === null ? [] : [rules]),
      ]),
  }
}
