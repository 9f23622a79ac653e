import type {
  ActiveUsers,
  Analytics,
  CohortActivity,
  CohortSize,
  DayUsers,
  HourCount,
  SessionFigures,
} from "@hearth/core/analytics"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// Clients choose these names: no answer grows without bound.
const mostPlatforms = 100
const mostVersions = 10

const day = (instant: string) => `(${instant} at time zone 'UTC')::date`

const monday = (instant: string) => `date_trunc('week', ${instant} at time zone 'UTC')::date`

// Users are counted in two steps: a distinct count would sort all sessions, for days, platforms and versions anew.
const countBy = (key: string) => `
  select ${key}, sum(sessions)::int as sessions, count(*)::int as users
  from (select ${key}, app_user_id, count(*) as sessions from chosen group by 1, 2) as per_user group by ${key}`

const list = (selected: string) => `(select coalesce(json_agg(listed), '[]') from (${selected}) as listed)`

const topBy = (key: string, limit: number) =>
  list(`${countBy(key)} order by sessions desc, ${key} nulls last limit ${limit}`)

// Not kept in between: reading the sessions once for each figure is faster than writing them to disk.
const sessions = `
  with chosen as not materialized (
    select app_user_id, ${day("started_at")} as date, platform, app_version,
      case when ended_at is not null or last_seen_at <= $3 then duration_seconds end as seconds
    from tracking_sessions where started_at >= $1 and started_at < $2
  )
  select count(*)::int as total_sessions,
    (select count(*)::int from (select distinct app_user_id from chosen) as users) as users,
    coalesce(round(avg(seconds)), 0)::int as mean_duration_seconds,
    coalesce(round((percentile_cont(0.5) within group (order by seconds))::numeric), 0)::int as median_duration_seconds,
    ${list(`${countBy("date")} order by date`)} as days,
    ${topBy("platform", mostPlatforms)} as platforms, ${topBy("app_version", mostVersions)} as app_versions
  from chosen`

const eventsByHour = `
  select hour, sum(events)::int as events, count(*)::int as users from (
    select date_trunc('hour', occurred_at, 'UTC') as hour, app_user_id, count(*) as events
    from engagement_events where occurred_at >= $1 and occurred_at < $2 group by 1, 2
  ) as per_user group by hour order by hour`

const activeByDay = `
  select day as date, count(*)::int as users from user_active_days
  where day between $1::date and $2::date group by day order by day`

const activeUsers = `
  select count(*) filter (where last >= $3::date)::int as wau, count(*)::int as mau, coalesce(sum(days), 0)::int as active_days
  from (
    select max(day) as last, count(*) as days from user_active_days
    where day between $1::date and $2::date group by app_user_id
  ) as users`

const newByDay = `
  select ${day("first_seen_at")} as date, count(*)::int as users from app_users
  where first_seen_at >= $1 and first_seen_at < $2 group by 1 order by 1`

const cohortSizes = `
  select ${monday("first_seen_at")} as week, count(*)::int as users from app_users
  where first_seen_at >= $1 and first_seen_at < $2 group by 1`

const cohortActivity = `
  select week, weeks_later, count(*)::int as users from (
    select distinct u.week, (d.day - u.week) / 7 as weeks_later, u.id from (
      select id, ${monday("first_seen_at")} as week from app_users where first_seen_at >= $1 and first_seen_at < $2
    ) as u join user_active_days d on d.app_user_id = u.id
    where d.day >= ${day("$1::timestamptz")} and d.day < ${day("$2::timestamptz")} and d.day >= u.week
  ) as active group by 1, 2`

/** The figures of a project. */
export const makeAnalytics = (statements: Statements): Analytics => ({
  sessions: ({ since, until }, lapsed) =>
    Effect.map(statements.rows<SessionFigures>(sessions, [since, until, lapsed]), ([row]) => {
      if (row === undefined) throw new Error("Sums without a group have one row.")
      return row
    }),
  eventsByHour: ({ since, until }) => statements.rows<HourCount>(eventsByHour, [since, until]),
  activeByDay: ({ first, last }) => statements.rows<DayUsers>(activeByDay, [first, last]),
  activeUsers: ({ first, last }, weekFrom) =>
    Effect.map(
      statements.rows<ActiveUsers>(activeUsers, [first, last, weekFrom]),
      ([row]) => row ?? { wau: 0, mau: 0, active_days: 0 },
    ),
  newByDay: ({ since, until }) => statements.rows<DayUsers>(newByDay, [since, until]),
  cohortSizes: ({ since, until }) => statements.rows<CohortSize>(cohortSizes, [since, until]),
  cohortActivity: ({ since, until }) => statements.rows<CohortActivity>(cohortActivity, [since, until]),
})
