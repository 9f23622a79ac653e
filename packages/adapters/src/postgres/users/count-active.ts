import { activityReactionName, activityRebuildTopic } from "@hearth/core/analytics"
import { idleEvents, idlePrefix } from "@hearth/core/events"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

const day = (instant: string) => `(${instant}::timestamptz at time zone 'UTC')::date`

const isActivity = "event_name <> all($4::text[]) and not starts_with(event_name, $5)"
const isWithin = "occurred_at >= $1 and occurred_at < $2"
const isOfRange = `day >= ${day("$1")} and day < ${day("$2")}`

// Sessions are few, and in many projects most active users have one: the rest is only read where they do not reach the number.
// `last_used_at` is never before `created_at`, so its index also finds the sessions that began in the range.
// Events are known by the days that were noted of them, and by what waits or was set aside. A user has at most as many days as the
// range: so many rows are enough to know that the number is reached. Where not all events were noted yet, they are read themselves.
const text = `
  with by_session as materialized (
    select distinct owner_id as id from app_user_session_families
    where last_used_at >= $1 and (last_used_at < $2 or created_at >= $1 and created_at < $2)
    limit $3
  ), sessions as materialized (
    select count(*) as active from by_session
  ), waiting as materialized (
    select unnest(event_ids) as id from outbox where topic = 'events'
    union all
    select event_id from outbox_dead where event_id is not null
  ), others as materialized (
    select id from by_session
    union
    select app_user_id from engagement_events
    where id = any(array(select id from waiting)) and ${isWithin} and ${isActivity}
  )
  select least($3, case
    when active >= $3 then active
    when exists (select from introduced_reactions where name = $6)
      and not exists (select from outbox where topic = $7) and not exists (select from outbox_dead where topic = $7)
      then (
        select count(*) from (
          select distinct app_user_id from (
            select app_user_id from user_active_days where ${isOfRange}
            limit $3::bigint * greatest(${day("$2")} - ${day("$1")}, 0)
          ) as days
        ) as users
      ) + (
        select count(*) from others
        where not exists (select from user_active_days d where d.app_user_id = others.id and ${isOfRange})
      )
    else active + (
      select count(distinct app_user_id) from engagement_events e where ${isWithin} and ${isActivity}
        and not exists (select from by_session s where s.id = e.app_user_id)
    )
  end) as active from sessions`

/** Counts the users who were active in a range of whole UTC days, up to `atMost` [B12]. */
export const countActive = (
  statements: Statements,
  ...[since, until, atMost]: readonly [since: Date, until: Date, atMost: number]
): Effect.Effect<number> =>
  Effect.map(
    statements.rows<{ readonly active: string }>(text, [
      ...[since, until, atMost, idleEvents, idlePrefix],
      ...[activityReactionName, activityRebuildTopic],
    ]),
    ([row]) => Number(row?.active),
  )
