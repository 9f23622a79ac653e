import { messageColumns } from "../messaging/message-sql.ts"
import { isNew, taken, xidSql } from "./new-rows.ts"

// `$4` are the users who listen. First what is new at all, by its ids: that is little, whoever listens.
const fresh = (table: string, columns: string) => `
  select ${columns}, ${xidSql("r")} as xid from ${table} r cross join taken where r.id >= $3::uuid and ${isNew("r")}`

const json = (columns: string) => `(select to_jsonb(o) from (select ${columns}) as o)`

const messages = `
  select 'message' as kind, p.app_user_id as user_id, m.xid, m.id, ${json(messageColumns)} as item
  from (${fresh("messages", "r.*")} offset 0) as m
  join conversation_participants p on p.conversation_id = m.conversation_id and p.app_user_id = any($4::uuid[])
  left join app_users u on u.id = m.sender_id
  where m.moderation <> 'held' or m.sender_id = p.app_user_id`

const achievements = `
  select 'achievement', w.app_user_id, w.xid, w.id, ${json(
    "w.id, a.id as achievement_id, a.key, a.name, a.description, a.icon_url, a.xp_reward, w.unlocked_at",
  )}
  from (${fresh("user_achievements", "r.*")} offset 0) as w join achievements a on a.id = w.achievement_id
  where w.app_user_id = any($4::uuid[])`

const xpEntries = `
  select e.*, coalesce(t.total, 0) as total from (${fresh("xp_entries", "r.*")} offset 0) as e
  left join xp_totals t on t.app_user_id = e.app_user_id where e.app_user_id = any($4::uuid[])`

const xp = `
  select 'xp', x.app_user_id, x.xid, x.id,
    ${json("x.id, x.amount, x.source, x.reference_id, x.created_at, x.total")} from xp x`

// A level is reached once, by the transaction that gives the XP, and told by an event whose cause is known.
const levels = `
  select 'level', r.app_user_id, ${xidSql("r")}, r.id, ${json("r.id, l.name, l.xp_required")}
  from (select distinct app_user_id, total from xp) as x
  join xp_levels l on l.xp_required <= x.total
  join engagement_events r on r.cause_key = 'xp/' || x.app_user_id || '/' || l.xp_required || '/level_reached'
  cross join taken where ${isNew("r")}`

const isOpen = (column: string) => `
  (f.${column} is null or exists (select from groups g where g.id = f.${column} and g.is_public and g.moderation = 'shown' offset 0))`

const isBlocked = (blocker: string, blocked: string) =>
  `exists (select from blocks b where b.blocker_id = ${blocker} and b.blocked_id = ${blocked} offset 0)`

const feedItems = `
  select 'feed_item', reader.id, f.xid, f.id, ${json(
    `f.id, f.actor_id, f.action, f.target_id, f.created_at,
     jsonb_build_object('id', u.id, 'display_name', u.display_name, 'avatar_url', u.avatar_url) as actor`,
  )}
  from (${fresh("feed_items", "r.*")} offset 0) as f join app_users u on u.id = f.actor_id
  cross join lateral (
    select f.actor_id as id where f.actor_id = any($4::uuid[])
    union
    select follower_id from follows where followed_id = f.actor_id and follower_id = any($4::uuid[])
  ) as reader
  where reader.id = f.actor_id or (
    ${isOpen("group_id")} and ${isOpen("target_group_id")}
    and not ${isBlocked("reader.id", "f.actor_id")} and not ${isBlocked("f.actor_id", "reader.id")}
  )`

/** The columns of a streak, with the name of its definition. `r` is the streak, `d` the definition. */
export const streakItem = json(
  `r.id, r.app_user_id, r.streak_definition_id, r.current_count, r.longest_count, r.freezes_remaining, r.status,
   r.expires_at, r.updated_at, d.name`,
)

const streaks = `
  select 'streak', r.app_user_id, ${xidSql("r")}, null::uuid, ${streakItem}
  from user_streaks r join streak_definitions d on d.id = r.streak_definition_id cross join taken
  where r.app_user_id = any($4::uuid[]) and ${isNew("r")}`

const found = `
  with ${taken}, xp as materialized (${xpEntries}), found as (
    ${[messages, achievements, xp, levels, feedItems, streaks].join(" union all ")}
  )`

/** What is new for users, by id, streaks last. */
export const userRows = `${found} select kind, user_id, xid::text, item from found order by id nulls last limit $5`

/** How much is new for each user who has anything. What is not counted by, the items above all, is not made. */
export const userCounts = `${found} select user_id, count(*)::int as count from found group by user_id`
