import { allTime, type LeaderboardRow, readCustomEvent } from "@hearth/core/leaderboards"
import type { Bindings } from "../sql/bindings.ts"
import { summandSql } from "../sql/summand.ts"

// What scores have to be, as the core's `findWindow` and `addUp` say it. A test holds them to each other.

const utc = (instant: string) => `(${instant} at time zone 'UTC')`

/** The window of an instant, where `period` is an expression. */
export const windowSql = (period: string, instant: string): string =>
  `case ${period} when 'daily' then ${utc(instant)}::date
     when 'weekly' then date_trunc('week', ${utc(instant)})::date
     when 'monthly' then date_trunc('month', ${utc(instant)})::date else date '${allTime}' end`

const sums = (rows: string, period: string) => `
  select app_user_id, window_start, sum(value) as score, max(occurred_at) as reached_at
  from (select app_user_id, occurred_at, value, ${windowSql(period, "occurred_at")} as window_start from (${rows}) r
    where value is not null) counted
  group by app_user_id, window_start`

/** Which users: the condition on a column with their id. */
type OfUsers = (column: string) => string

// Waits in the outbox, or was set aside: it is not counted yet.
const isHandled = `not exists (select from waiting w where w.id = e.id)`
const waiting = `waiting as materialized (
    select unnest(event_ids) as id from outbox where topic = 'events'
    union all select event_id from outbox_dead where event_id is not null
  )`

const ofEvents = (text: string, { bind }: Bindings, ofUsers: OfUsers) => {
  const { event_name, property } = readCustomEvent(text) ?? { event_name: "", property: null }
  const value = property === null ? "1::numeric" : summandSql(`(e.properties -> ${bind(property, "text")})`)
  return `select e.app_user_id, e.occurred_at, ${value} as value from engagement_events e
    where e.event_name = ${bind(event_name, "text")} and ${ofUsers("e.app_user_id")} and ${isHandled}`
}

const ofXp = (ofUsers: OfUsers) => `
  select x.app_user_id, x.occurred_at, x.amount::numeric as value from xp_entries x
  where x.is_ranked and ${ofUsers("x.app_user_id")}`

/** The greatest counts of the stored streaks, as scores of all time. */
export const streaksNow = (ofUsers: OfUsers): string => `
  select s.app_user_id, date '${allTime}' as window_start, s.current_count::numeric as score,
    max(coalesce(d.occurred_at, 'epoch')) as reached_at
  from (
    select *, max(current_count) over (partition by app_user_id) as greatest
    from user_streaks where ${ofUsers("app_user_id")}
  ) s left join streak_events d on d.app_user_id = s.app_user_id
    and d.streak_definition_id = s.streak_definition_id and d.period_key = s.last_period and d.kind = 'done'
  where s.current_count = s.greatest and s.current_count > 0 group by s.app_user_id, s.current_count`

/** The greatest counts that done periods brought about, by window. `periods` are the rows that are read. */
export const streaksInWindows = (periods: string): string => `
  select period, app_user_id, window_start, count_after::numeric as score, max(occurred_at) as reached_at from (
    select *, max(count_after) over (partition by period, app_user_id, window_start) as greatest from (${periods}) p
  ) counted where count_after = greatest group by period, app_user_id, window_start, count_after`

/** The done periods with the window that each is in. */
export const donePeriods = (period: string, from: string, where: string): string => `
  select ${period} as period, d.app_user_id, d.count_after, d.occurred_at,
    ${windowSql(period, "d.occurred_at")} as window_start
  from ${from} where d.kind = 'done' and d.count_after > 0 and ${where}`

/**
 * The scores that a leaderboard has to have, with `app_user_id`, `window_start`, `score` and `reached_at`, and the expressions
 * before them that they are read from.
 */
export const wantedScores = (
  { metric, period, custom_event }: Pick<LeaderboardRow, "metric" | "period" | "custom_event">,
  bindings: Bindings,
  ofUsers: OfUsers,
): { readonly before: ReadonlyArray<string>; readonly scores: string } => {
  // One of four words.
  const asText = `'${period}'`
  if (metric === "custom")
    return { before: [waiting], scores: sums(ofEvents(custom_event ?? "", bindings, ofUsers), asText) }
  if (metric === "xp") return { before: [], scores: sums(ofXp(ofUsers), asText) }
  if (period === "all_time") return { before: [], scores: streaksNow(ofUsers) }
  const periods = donePeriods(asText, "streak_events d", ofUsers("d.app_user_id"))
  return { before: [], scores: streaksInWindows(periods) }
}
