import { type Candidate, type UnlockKey, UserAchievement, type UserAchievements } from "@hearth/core/achievements"
import type { RuleGroup } from "@hearth/core/segments"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { describedSql } from "../segments/segment-rules.ts"
import { makeBindings } from "../sql/bindings.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"

const given = rowSet(UserAchievement)
const columns = given.columns.join(", ")

// In the order of the key, so that two calls cannot wait for each other.
const insertMany = `
  insert into user_achievements (${columns}) select ${columns} from ${given.from(1)} order by app_user_id, achievement_id
  on conflict (app_user_id, achievement_id) do nothing returning id`

const listClosed = `
  select app_user_id, achievement_id from user_achievements where app_user_id = any($1::uuid[])
  union all select app_user_id, achievement_id from achievement_revocations where app_user_id = any($1::uuid[])`

const isClosed = (userId: string, achievementId: string) => `(
  exists (select from user_achievements ua where ua.app_user_id = ${userId} and ua.achievement_id = ${achievementId})
  or exists (select from achievement_revocations r where r.app_user_id = ${userId} and r.achievement_id = ${achievementId}))`

const listCandidates = `
  select u.id as user_id, ${isClosed("u.id", "$1::uuid")} as is_closed
  from (select id from app_users where $2::uuid is null or id > $2 order by id limit $3) as u order by u.id`

const preview = (criteria: RuleGroup, achievementId: string | null, now: Date, sampleSize: number) => {
  const bindings = makeBindings()
  const isOpen = achievementId === null ? "" : `where not ${isClosed("d.id", bindings.bind(achievementId, "uuid"))}`
  const text = `
    with described as materialized (
      ${describedSql(criteria, now, bindings)}
    ), open as materialized (
      select d.id, d.last_seen_at from described d ${isOpen}
    )
    select (select count(*) from open) as would_unlock, array(
      select id from open order by last_seen_at desc, id limit ${bindings.bind(sampleSize, "bigint")}
    ) as sample`
  return { text, values: bindings.values }
}

interface Previewed {
  readonly would_unlock: string
  readonly sample: ReadonlyArray<string>
}

/** What the users of a project have unlocked. */
export const makeUserAchievements = (statements: Statements, shape: TableShape): UserAchievements => ({
  ...makeTable<UserAchievement>(statements, shape),
  insertMany: (rows) =>
    Effect.map(statements.rows<{ readonly id: string }>(insertMany, given.values(rows)), (inserted) =>
      inserted.map(({ id }) => id),
    ),
  listClosed: (userIds) => statements.lock<UnlockKey>("closed-achievements", listClosed, [userIds]),
  listCandidates: (achievementId, afterUserId, limit) =>
    statements.rows<Candidate>(listCandidates, [achievementId, afterUserId, limit]),
  preview: (criteria, achievementId, now, sampleSize) =>
    Effect.suspend(() => {
      const { text, values } = preview(criteria, achievementId, now, sampleSize)
      return Effect.map(statements.rows<Previewed>(text, values), ([row]) => ({
        would_unlock: Number(row?.would_unlock ?? 0),
        sample: row?.sample ?? [],
      }))
    }),
})
