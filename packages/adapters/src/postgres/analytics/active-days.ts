import type { ActiveDays } from "@hearth/core/analytics"
import { idleEvents, idlePrefix } from "@hearth/core/events"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// Most days are there already, and cost a look only. The users of the others are locked first, against removal.
const addNew = `
  , new as materialized (
    select app_user_id, day from given
    where not exists (select from user_active_days d where d.app_user_id = given.app_user_id and d.day = given.day)
  ), users as materialized (
    select id from app_users where id in (select app_user_id from new) order by id for key share
  ), added as (
    insert into user_active_days (app_user_id, day)
    select app_user_id, day from new where app_user_id in (select id from users) order by app_user_id, day
    on conflict do nothing
  )`

const add = `
  with given as materialized (
    select distinct app_user_id, day from unnest($1::uuid[], $2::date[]) as given (app_user_id, day)
  ) ${addNew}
  select`

// By id: new events have greater ids, so that old ones lie together and each is read once.
const addFromEvents = `
  with slice as materialized (
    select id, app_user_id, event_name, occurred_at from engagement_events
    where $1::uuid is null or id > $1 order by id limit $2
  ), given as materialized (
    select distinct app_user_id, (occurred_at at time zone 'UTC')::date as day from slice
    where event_name <> all($3::text[]) and not starts_with(event_name, $4)
  ) ${addNew}
  select case when count(*) = $2 then (array_agg(id order by id desc))[1] end as last from slice`

/** The days on which users were active. */
export const makeActiveDays = (statements: Statements): ActiveDays => ({
  add: (days) => statements.send(add, [days.map(({ app_user_id }) => app_user_id), days.map(({ day }) => day)]),
  addFromEvents: (afterId, limit) =>
    Effect.map(
      statements.rows<{ readonly last: string | null }>(addFromEvents, [afterId, limit, idleEvents, idlePrefix]),
      ([row]) => row?.last ?? null,
    ),
})
