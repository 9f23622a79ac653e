import { type AfterPeriod, type LastDonePeriod, StreakPeriodRow, type StreakPeriods } from "@hearth/core/streaks"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { rowSet } from "../sql/row-set.ts"
import { instantKeys, keyColumns, periodKeys } from "./streak-keys.ts"

const given = rowSet(StreakPeriodRow)
const columns = given.columns.join(", ")

const key = `app_user_id, streak_definition_id, period_key`

/** The periods in the parameters from this one on, each once: done wins over frozen, then the first one given. */
const periodsFrom = (firstParameter: number) => `
  select distinct on (${key}) ${columns} from ${given.from(firstParameter)} order by ${key}, kind, ordinal`

const changes = ["kind", "occurred_at", "count_after", "freezes_after"]
const assigned = changes.map((column) => `${column} = excluded.${column}`).join(", ")

const addPeriods = `
  insert into streak_events as p (${columns}) ${periodsFrom(1)}
  on conflict (${key}) do update set ${assigned}
  where p.kind = 'freeze' and excluded.kind = 'done'`

// The delete leaves out the rows that are written: one statement must not do both to a row.
const replacePeriods = `
  with periods as materialized (${periodsFrom(4)}), gone as (
    delete from streak_events p using ${periodKeys}
    where p.app_user_id = k.app_user_id and p.streak_definition_id = k.streak_definition_id
      and (k.after is null or p.period_key > k.after)
      and not exists (
        select from periods n where n.app_user_id = p.app_user_id
          and n.streak_definition_id = p.streak_definition_id and n.period_key = p.period_key
      )
  )
  insert into streak_events as p (${columns}) select * from periods
  on conflict (${key}) do update set ${assigned}
  where (p.kind <> 'freeze' or excluded.kind <> 'freeze')
    and (${changes.map((column) => `p.${column}`).join(", ")})
      is distinct from (${changes.map((column) => `excluded.${column}`).join(", ")})`

const lastDoneBefore = `
  select found.*, case when e.occurred_at is not null then coalesce(e.zone, 'UTC') end as zone
  from ${instantKeys} cross join lateral (
    select ${columns} from streak_events p
    where p.app_user_id = k.app_user_id and p.streak_definition_id = k.streak_definition_id
      and p.kind = 'done' and p.occurred_at < k.instant
    order by p.period_key desc limit 1
  ) as found left join qualifying_events e on e.app_user_id = found.app_user_id
    and e.streak_definition_id = found.streak_definition_id and e.occurred_at = found.occurred_at`

const uncountedPeriods = `
  select p.* from ${periodKeys} cross join lateral (
    select ${columns} from streak_events e
    where e.app_user_id = k.app_user_id and e.streak_definition_id = k.streak_definition_id
      and (k.after is null or e.period_key > k.after) and e.kind = 'done' and e.count_after is null
  ) as p`

const periodsSince = `
  select ${columns} from streak_events
  where app_user_id = $1 and streak_definition_id = $2 and period_key >= coalesce((
    select period_key from streak_events
    where app_user_id = $1 and streak_definition_id = $2 and kind = 'done' and period_key < $3::date
    order by period_key desc limit 1
  ), $3::date) order by period_key`

const afterPeriods = (keys: ReadonlyArray<AfterPeriod>) => [...keyColumns(keys), keys.map(({ after }) => after)]

/** The periods of streaks. */
export const makeStreakPeriods = (statements: Statements): StreakPeriods => ({
  addPeriods: (periods) => statements.send(addPeriods, given.values(periods)),
  replacePeriods: (keys, periods) =>
    Effect.asVoid(statements.rows(replacePeriods, [...afterPeriods(keys), ...given.values(periods)])),
  lastDoneBefore: (keys) =>
    statements.rows<LastDonePeriod>(lastDoneBefore, [...keyColumns(keys), keys.map(({ from }) => from.toISOString())]),
  uncountedPeriods: (keys) => statements.rows<StreakPeriodRow>(uncountedPeriods, afterPeriods(keys)),
  periodsFrom: ({ app_user_id, streak_definition_id }, period) =>
    statements.rows<StreakPeriodRow>(periodsSince, [app_user_id, streak_definition_id, period]),
  recentPeriods: (userId, limit) =>
    statements.rows<StreakPeriodRow>(
      `select recent.* from streak_definitions d cross join lateral (
         select ${columns} from streak_events
         where app_user_id = $1 and streak_definition_id = d.id order by period_key desc limit $2
       ) as recent order by period_key desc, streak_definition_id`,
      [userId, limit],
    ),
})
