import { Day, Text, Uuid } from "@hearth/core"
import type { ActiveDays, Analytics, CohortActivity, SessionFigures, TimeRange } from "@hearth/core/analytics"
import { isActivity } from "@hearth/core/events"
import type { TrackingSessionRow } from "@hearth/core/tracking-sessions"
import { Schema } from "effect"
import { eventShape } from "../events/memory.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { select, sorted } from "../memory/table.ts"
import { trackingSessionShape } from "../tracking-sessions/memory.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"

/** The days on which users were active. */
export const activeDayShape = describeTable("active days", Schema.Struct({ id: Text, app_user_id: Uuid, day: Day }), {
  parents: { app_user_id: userShape.name },
})

const dayMillis = 86_400_000
const hourMillis = 3_600_000

const utcDay = (at: Date) => at.toISOString().slice(0, 10)

const isWithin = ({ since, until }: TimeRange, at: Date) => since <= at && at < until

const addDays = (draft: Draft, given: ReadonlyArray<{ readonly app_user_id: string; readonly day: string }>) => {
  const rows = given.map(({ app_user_id, day }) => ({ id: `${app_user_id}/${day}`, app_user_id, day }))
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()]
  const added = unique.filter(({ id }) => rowsOf(draft, activeDayShape).get(id) === undefined)
  const wanted = [...new Set(added.map(({ app_user_id }) => app_user_id))]
  const known = new Set(lockRows(draft, userShape, readUsers(draft, wanted), "key share").map(({ id }) => id))
  const inOrder = sorted(activeDayShape, added, [])
  for (const row of inOrder) if (known.has(row.app_user_id)) insertRow(draft, activeDayShape, row)
}

/** The days on which users were active. */
export const memoryActiveDays = (statements: Statements): ActiveDays => ({
  add: (days) => statements.change((draft) => addDays(draft, days)),
  addFromEvents: (afterId, limit) =>
    statements.change((draft) => {
      const events = sorted(eventShape, select(draft, eventShape, {}), [])
      const slice = events.filter(({ id }) => afterId === null || id > afterId).slice(0, limit)
      const active = slice.filter(({ event_name }) => isActivity(event_name))
      addDays(
        draft,
        active.map(({ app_user_id, occurred_at }) => ({ app_user_id, day: utcDay(occurred_at) })),
      )
      return slice.length < limit ? null : (slice.at(-1)?.id ?? null)
    }),
})

const countUsers = (rows: ReadonlyArray<{ readonly app_user_id: string }>) =>
  new Set(rows.map(({ app_user_id }) => app_user_id)).size

const compareNames = (one: string | null, other: string | null) => {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

const countBy = (sessions: ReadonlyArray<TrackingSessionRow>, key: "platform" | "app_version", most: number) =>
  [...Map.groupBy(sessions, (session) => session[key])]
    .map(([name, own]) => ({ name, sessions: own.length, users: countUsers(own) }))
    .toSorted((a, b) => b.sessions - a.sessions || compareNames(a.name, b.name))
    .slice(0, most)

const summarizeDurations = (sessions: ReadonlyArray<TrackingSessionRow>, lapsed: Date) => {
  const seconds = sessions
    .filter(({ ended_at, last_seen_at }) => ended_at !== null || last_seen_at <= lapsed)
    .map(({ duration_seconds }) => duration_seconds)
    .toSorted((a, b) => a - b)
  const at = (index: number) => seconds[index] ?? 0
  const middle = (seconds.length - 1) / 2
  return {
    mean_duration_seconds: Math.round(seconds.reduce((sum, each) => sum + each, 0) / Math.max(1, seconds.length)),
    median_duration_seconds: Math.round((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2),
  }
}

const summarize = (sessions: ReadonlyArray<TrackingSessionRow>, lapsed: Date): SessionFigures => ({
  total_sessions: sessions.length,
  users: countUsers(sessions),
  ...summarizeDurations(sessions, lapsed),
  days: [...Map.groupBy(sessions, ({ started_at }) => utcDay(started_at))]
    .map(([date, own]) => ({ date, sessions: own.length, users: countUsers(own) }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  platforms: countBy(sessions, "platform", 100).map(({ name, ...counts }) => ({ platform: name, ...counts })),
  app_versions: countBy(sessions, "app_version", 10).map(({ name, ...counts }) => ({ app_version: name, ...counts })),
})

const daysBetween = (draft: Draft, first: string, last: string) =>
  select(draft, activeDayShape, {}).filter(({ day }) => first <= day && day <= last)

const usersByDay = (rows: ReadonlyArray<{ readonly day: string }>) =>
  [...Map.groupBy(rows, ({ day }) => day)]
    .map(([date, own]) => ({ date, users: own.length }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))

const firstSeen = (draft: Draft, range: TimeRange) =>
  select(draft, userShape, {}).filter(({ first_seen_at }) => isWithin(range, first_seen_at))

const monday = (at: Date): string => {
  const day = Math.floor(at.getTime() / dayMillis)
  // 1970-01-01 was a Thursday.
  return utcDay(new Date((day - ((((day + 3) % 7) + 7) % 7)) * dayMillis))
}

const weeksBetween = (week: string, day: string) => Math.floor((Date.parse(day) - Date.parse(week)) / dayMillis / 7)

const countCohorts = (draft: Draft, range: TimeRange): ReadonlyArray<CohortActivity> => {
  const active = firstSeen(draft, range).flatMap((user) => {
    const week = monday(user.first_seen_at)
    const days = select(draft, activeDayShape, { app_user_id: user.id })
    const own = days.filter(({ day }) => week <= day && isWithin(range, new Date(`${day}T00:00:00.000Z`)))
    return [...new Set(own.map(({ day }) => weeksBetween(week, day)))].map((weeks_later) => ({ week, weeks_later }))
  })
  return [...Map.groupBy(active, ({ week, weeks_later }) => `${week}/${weeks_later}`).values()].flatMap((own) =>
    own.slice(0, 1).map((each) => ({ ...each, users: own.length })),
  )
}

/** The figures of a project. */
export const memoryAnalytics = (statements: Statements): Analytics => ({
  sessions: (range, lapsed) =>
    statements.query((draft) => {
      const sessions = select(draft, trackingSessionShape, {}).filter(({ started_at }) => isWithin(range, started_at))
      return summarize(sessions, lapsed)
    }),
  eventsByHour: (range) =>
    statements.query((draft) => {
      const events = select(draft, eventShape, {}).filter(({ occurred_at }) => isWithin(range, occurred_at))
      const hours = Map.groupBy(events, ({ occurred_at }) => Math.floor(occurred_at.getTime() / hourMillis))
      return [...hours]
        .toSorted(([one], [other]) => one - other)
        .map(([hour, own]) => ({ hour: new Date(hour * hourMillis), events: own.length, users: countUsers(own) }))
    }),
  activeByDay: ({ first, last }) => statements.query((draft) => usersByDay(daysBetween(draft, first, last))),
  activeUsers: ({ first, last }, weekFrom) =>
    statements.query((draft) => {
      const days = daysBetween(draft, first, last)
      const wau = countUsers(days.filter(({ day }) => day >= weekFrom))
      return { wau, mau: countUsers(days), active_days: days.length }
    }),
  newByDay: (range) =>
    statements.query((draft) =>
      usersByDay(firstSeen(draft, range).map(({ first_seen_at }) => ({ day: utcDay(first_seen_at) }))),
    ),
  cohortSizes: (range) =>
    statements.query((draft) =>
      [...Map.groupBy(firstSeen(draft, range), ({ first_seen_at }) => monday(first_seen_at))].map(([week, own]) => ({
        ...{ week, users: own.length },
      })),
    ),
  cohortActivity: (range) => statements.query((draft) => countCohorts(draft, range)),
})
