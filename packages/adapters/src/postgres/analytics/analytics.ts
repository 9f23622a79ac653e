import type {
  ActiveUsers,
  Analytics,
  CohortActivity,
  CohortSize,
  DayUsers,
  SessionFigures,
} from "@hearth/core/analytics"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// Clients choose these names: no answer grows without bound.
const mostPlatforms = 100
const mostVersions = 10

const day = (instant: string) => `(${instant} at time zone 'UTC')::date`

const monday = (instant: string) => `date_trunc('week', ${instant} at time zone 'UTC')::date`

const byName = (name: string, limit: number) => `(
    select coalesce(json_agg(top), '[]') from (
      select ${name}, count(*) as sessions, count(distinct app_user_id) as users
      from chosen group by ${name} order by count(*) desc, ${name} nulls last limit ${limit}
    ) as top
  )`

const sessions = `
  with chosen as materialized (
    select app_user_id, ${day("started_at")} as date, platform, app_version,
      case when ended_at is not null or last_seen_at <= $3 then duration_seconds end as seconds
    from tracking_sessions where started_at >= $1 and started_at < $2
  ), total as materialized (
    select count(*) as total_sessions, count(distinct app_user_id) as users,
      coalesce(round(avg(seconds)), 0) as mean_duration_seconds,
      coalesce(round((percentile_cont(0.5) within group (order by seconds))::numeric), 0) as median_duration_seconds
    from chosen
  )
  select row_to_json(total) as total, (
    select coalesce(json_agg(by_day order by date), '[]') from (
      select date, count(*) as sessions, count(distinct app_user_id) as users from chosen group by date
    ) as by_day
  ) as days, ${byName("platform", mostPlatforms)} as platforms, ${byName("app_version", mostVersions)} as app_versions
  from total`

interface AnsweredSessions extends Pick<SessionFigures, "days" | "platforms" | "app_versions"> {
  readonly total: Omit<SessionFigures, "days" | "platforms" | "app_versions">
}

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
    Effect.map(statements.rows<AnsweredSessions>(sessions, [since, until, lapsed]), ([row]): SessionFigures => {
      if (row === undefined) throw new Error("Sums without a group have one row.")
      const { total, ...lists } = row
      return { ...total, ...lists }
    }),
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
