import { Effect } from "effect"
import { limitLookups } from "../access/limit-lookups.ts"
import type { Ports } from "../ports/ports.ts"
import { dayMillis } from "../time/zones.ts"
import { lapsedBy } from "../tracking-sessions/rules.ts"
import { findDays, findDaysUpTo, findWeeks, startOfUtcDay, type TimeRange } from "./days.ts"
import type { Cohort, Overview } from "./figures.ts"
import type { AnalyticsDb, CohortActivity, CohortSize } from "./port.ts"
import { daysOfHours, type RangeQuery, readRange } from "./range.ts"

// Figures read much. Of one project so many are made at once, so that most of its connections are left to apps.
const figuresAtOnce = 2

const weekDays = 7
const monthDays = 30

const weekMillis = weekDays * dayMillis

const readCohorts = (
  weeks: ReadonlyArray<string>,
  sizes: ReadonlyArray<CohortSize>,
  activity: ReadonlyArray<CohortActivity>,
): ReadonlyArray<Cohort> => {
  const users = new Map(sizes.map((size) => [size.week, size.users]))
  const active = new Map(activity.map((each) => [`${each.week}/${each.weeks_later}`, each.users]))
  return weeks.map((week, at) => ({
    week,
    users: users.get(week) ?? 0,
    retained: weeks.slice(at).map((_, weeksLater) => active.get(`${week}/${weeksLater}`) ?? 0),
  }))
}

/** What developers are told of how their app is used (H5.2, H5.3). */
export const makeAnalytics = ({ clock, tenants }: Pick<Ports<AnalyticsDb>, "clock" | "tenants">) => {
  const limit = limitLookups(figuresAtOnce)
  const read = <A>(projectId: string, work: (db: AnalyticsDb) => Effect.Effect<A>) =>
    limit(projectId, tenants.read(projectId, work))

  return {
    /**
     * The sessions that have started in a range of at most 366 days, the last 30 where no `since` is given: how many on each day, and how
     * many seconds they took [H5.2]. `INVALID_SINCE` or `INVALID_UNTIL`, the bound for which the range ends before it begins;
     * `RANGE_TOO_LARGE`.
     */
    sessions: Effect.fn("analytics.sessions")(function* (projectId: string, query: RangeQuery) {
      const now = clock.now()
      const range = yield* readRange(query, now)
      return yield* read(projectId, (db) => db.analytics.sessions(range, lapsedBy(now)))
    }),

    /**
     * The events of at most 7 days by hour, and by how many users; of the last 24 hours where no `since` is given. `INVALID_SINCE` or
     * `INVALID_UNTIL` where the range ends before it begins; `RANGE_TOO_LARGE`.
     */
    hours: Effect.fn("analytics.hours")(function* (projectId: string, query: RangeQuery) {
      const range = yield* readRange(query, clock.now(), daysOfHours)
      return { hours: yield* read(projectId, (db) => db.analytics.eventsByHour(range)) }
    }),

    /**
     * How many users were active on each day, in the week and in the month before `until`, and how many are new, in a range of at most
     * 366 days, the last 30 where no `since` is given [H5.3]. `INVALID_SINCE` or `INVALID_UNTIL` where the range ends before it begins;
     * `RANGE_TOO_LARGE`.
     */
    overview: Effect.fn("analytics.overview")(function* (projectId: string, query: RangeQuery) {
      const range = yield* readRange(query, clock.now())
      const days = findDays(range)
      const month = findDaysUpTo(range.until, monthDays)
      const { first: weekFrom } = findDaysUpTo(range.until, weekDays)
      return yield* read(
        projectId,
        Effect.fnUntraced(function* ({ analytics }) {
          const dau = days === null ? [] : yield* analytics.activeByDay(days)
          const { wau, mau, active_days } = yield* analytics.activeUsers(month, weekFrom)
          const new_users = yield* analytics.newByDay(range)
          const stickiness = mau === 0 ? 0 : active_days / monthDays / mau
          return { dau, wau, mau, new_users, stickiness } satisfies Overview
        }),
      )
    }),

    /** The users first seen in each of the last weeks, the present one included, and in which weeks they were active [H5.3]. */
    retention: Effect.fn("analytics.retention")(function* (projectId: string, weeks: number) {
      const mondays = findWeeks(clock.now(), weeks)
      const since = startOfUtcDay(mondays[0] ?? "")
      const range: TimeRange = { since, until: new Date(since.getTime() + weeks * weekMillis) }
      return yield* read(
        projectId,
        Effect.fnUntraced(function* ({ analytics }) {
          const sizes = yield* analytics.cohortSizes(range)
          const activity = yield* analytics.cohortActivity(range)
          return { cohorts: readCohorts(mondays, sizes, activity) }
        }),
      )
    }),
  }
}
