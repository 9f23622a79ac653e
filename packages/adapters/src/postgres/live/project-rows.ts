import type { ProjectFilter } from "@hearth/core/live"
import { isNew, taken } from "./new-rows.ts"
import { streakItem } from "./user-rows.ts"

// As many of the newest dead letters as are looked at: one that is tried again is changed long after it was made.
const lettersLookedAt = 1_000
// The users whose streaks are looked at: those of the newest events.
const usersLookedAt = 200
const namesShown = 20

const json = (columns: string) => `(select to_jsonb(o) from (select ${columns}) as o)`

// `$4` is how many of a kind are shown. Only the given filters are in the statement, so that the planner can choose an index.
const [eventName, userId] = ["$5::text", "$6::uuid"]

const fresh = (table: string, conditions: ReadonlyArray<string>) => `
  select r.* from ${table} r cross join taken
  where r.id >= $3::uuid and ${[isNew("r"), ...conditions].join(" and ")}`

/** Whether an event has the name that is wanted. */
const isOfEvent = (id: string) =>
  `exists (select from engagement_events e where e.id = ${id} and e.event_name = ${eventName})`

const shown = (kind: string, from: string, item: string, order = "r.id desc") => `
  (select '${kind}' as kind, ${item} as item from ${from} order by ${order} limit $4)`

/** What is new in a project, for those who want this part of it. */
export const projectRows = ({ event_name, user_id }: ProjectFilter): string => {
  const byName = (condition: string) => (event_name === null ? [] : [condition])
  const byUser = (column: string) => (user_id === null ? [] : [`${column} = ${userId}`])
  const ofUser = byUser("r.app_user_id")
  const entry = "case when r.source = 'event' then r.reference_id::uuid end"
  const events = fresh("engagement_events", [...byName(`r.event_name = ${eventName}`), ...ofUser])
  const xp = fresh("xp_entries", [...byName(isOfEvent(entry)), ...ofUser])
  // What unlocked it is not known.
  const unlocks = fresh("user_achievements", [...byName("false"), ...ofUser])
  const items = fresh("feed_items", [...byName(isOfEvent("r.event_id")), ...byUser("r.actor_id")])
  const letters = `
    select r.* from (select *, xmin from outbox_dead order by first_failed_at desc, id desc limit ${lettersLookedAt}) as r
    cross join taken where ${[isNew("r"), ...byName(isOfEvent("r.event_id")), ...ofUser].join(" and ")}`
  const lookedAt =
    user_id === null
      ? `select distinct app_user_id as id from (
           select r.app_user_id from engagement_events r where r.id >= $3::uuid
           ${byName(`and r.event_name = ${eventName}`).join("")} order by r.id desc limit ${usersLookedAt}
         ) as newest`
      : `select ${userId} as id`
  const parts = [
    shown("event", "events r", json("r.id, r.app_user_id, r.event_name, r.properties, r.occurred_at")),
    shown(
      "dead_letter",
      "letters r",
      json("r.id, r.event_id, r.topic, r.app_user_id, r.reaction, r.error, r.status, r.tries, r.first_failed_at"),
      "r.first_failed_at desc, r.id desc",
    ),
    shown(
      "xp",
      "xp r left join xp_totals t on t.app_user_id = r.app_user_id",
      json("r.id, r.app_user_id, r.amount, r.source, r.reference_id, r.created_at, coalesce(t.total, 0) as total"),
    ),
    shown(
      "achievement",
      "unlocks r join achievements a on a.id = r.achievement_id",
      json(
        `r.id, r.app_user_id, a.id as achievement_id, a.key, a.name, a.description, a.icon_url, a.xp_reward, r.unlocked_at`,
      ),
    ),
    shown(
      "feed_item",
      "items r join app_users u on u.id = r.actor_id",
      json(
        `r.id, r.actor_id, r.action, r.target_id, r.created_at,
         jsonb_build_object('id', u.id, 'display_name', u.display_name, 'avatar_url', u.avatar_url) as actor`,
      ),
    ),
    shown(
      "streak",
      `(${lookedAt} offset 0) as users join user_streaks r on r.app_user_id = users.id
       join streak_definitions d on d.id = r.streak_definition_id cross join taken where ${isNew("r")}`,
      streakItem,
      "r.updated_at desc",
    ),
    `(select 'name', jsonb_build_object('event_name', event_name, 'count', count(*)) from events
      group by event_name order by count(*) desc, event_name limit ${namesShown})`,
    `select 'counts', jsonb_build_object('events', (select count(*) from events), 'dead_letters', (select count(*) from letters),
      'effects', (select count(*) from xp) + (select count(*) from unlocks) + (select count(*) from items))`,
  ]
  return `
  with ${taken}, given as (select ${eventName} as event_name, ${userId} as user_id), events as materialized (${events}), letters as materialized (${letters}), xp as materialized (${xp}),
    unlocks as materialized (${unlocks}), items as materialized (${items})
  ${parts.join(" union all ")}`
}
