import { StreakPeriodRow, type UserStreaks } from "@hearth/core/streaks"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { rowSet } from "../sql/row-set.ts"
import { isOfKeys, keyColumns } from "./streak-keys.ts"

const given = rowSet(StreakPeriodRow)
const columns = given.columns.join(", ")

const key = `app_user_id, streak_definition_id, period_key`

/** The periods in the parameters from this one on, each once: done wins over frozen, then the first one given. */
const periodsFrom = (firstParameter: number) => `
  select distinct on (${key}) ${columns} from ${given.from(firstParameter)} order by ${key}, kind, ordinal`

const addPeriods = `
  insert into streak_events as p (${columns}) ${periodsFrom(1)}
  on conflict (${key}) do update set kind = 'done', occurred_at = excluded.occurred_at
  where p.kind = 'freeze' and excluded.kind = 'done'`

// The delete leaves out the rows that are written: one statement must not do both to a row.
const replaceFreezes = `
  with freezes as (${periodsFrom(3)}), gone as (
    delete from streak_events where ${isOfKeys} and kind = 'freeze' and (${key}) not in (select ${key} from freezes)
  )
  insert into streak_events as p (${columns}) select * from freezes
  on conflict (${key}) do update set occurred_at = excluded.occurred_at where p.kind = 'freeze'`

// The week of a day is named by its Monday: only Mondays are written, only other days are deleted.
const weeksFromDays = `
  with days as (
    delete from streak_events where streak_definition_id = $1 and extract(isodow from period_key) <> 1
  )
  insert into streak_events as p (${columns})
  select distinct on (app_user_id, monday) app_user_id, streak_definition_id, monday, kind, occurred_at
  from streak_events cross join lateral (select period_key - (extract(isodow from period_key)::int - 1)) as week (monday)
  where streak_definition_id = $1 order by app_user_id, monday, kind, occurred_at
  on conflict (${key}) do update set kind = excluded.kind, occurred_at = excluded.occurred_at
  where (p.kind, p.occurred_at) is distinct from (excluded.kind, excluded.occurred_at)`

type Periods = "addPeriods" | "replaceFreezes" | "donePeriods" | "recentPeriods" | "weeksFromDays"

/** The periods of streaks. */
export const makeStreakPeriods = (statements: Statements): Pick<UserStreaks, Periods> => ({
  addPeriods: (periods) => Effect.asVoid(statements.rows(addPeriods, given.values(periods))),
  replaceFreezes: (keys, freezes) =>
    Effect.asVoid(statements.rows(replaceFreezes, [...keyColumns(keys), ...given.values(freezes)])),
  donePeriods: (keys) =>
    statements.rows<StreakPeriodRow>(
      `select ${columns} from streak_events where ${isOfKeys} and kind = 'done'
       order by app_user_id, streak_definition_id, period_key`,
      keyColumns(keys),
    ),
  recentPeriods: (userId, limit) =>
    statements.rows<StreakPeriodRow>(
      `select recent.* from streak_definitions d cross join lateral (
         select ${columns} from streak_events
         where app_user_id = $1 and streak_definition_id = d.id order by period_key desc limit $2
       ) as recent order by period_key desc, streak_definition_id`,
      [userId, limit],
    ),
  weeksFromDays: (definitionId) => Effect.asVoid(statements.rows(weeksFromDays, [definitionId])),
})
