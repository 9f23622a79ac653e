import { Schema } from "effect"
import { Count, Day, Timestamp } from "../schema.ts"

const Sessions = { sessions: Count, users: Count }

/** The sessions of a project that have started in a range [H5.2]. */
export const SessionFigures = Schema.Struct({
  total_sessions: Count,
  users: Count,
  /** Of those that have ended, in whole seconds; 0 where none has. */
  mean_duration_seconds: Count,
  median_duration_seconds: Count,
  /** By UTC day of the start. Days without sessions are left out [A12]. */
  days: Schema.Array(Schema.Struct({ date: Day, ...Sessions })),
  /** The most sessions first, then by name; at most 100. */
  platforms: Schema.Array(Schema.Struct({ platform: Schema.NullOr(Schema.String), ...Sessions })),
  /** The most sessions first, then by name; at most 10. */
  app_versions: Schema.Array(Schema.Struct({ app_version: Schema.NullOr(Schema.String), ...Sessions })),
}).annotate({ identifier: "SessionFigures" })
export type SessionFigures = typeof SessionFigures.Type

/** What happened in an hour that begins on the hour in UTC. */
export const HourCount = Schema.Struct({ hour: Timestamp, events: Count, users: Count }).annotate({
  identifier: "HourCount",
})
export type HourCount = typeof HourCount.Type

/** Events by hour, and by how many users. */
export const HourFigures = Schema.Struct({
  /** The first first. Hours without events are left out [A12]. */
  hours: Schema.Array(HourCount),
}).annotate({ identifier: "HourFigures" })

/** The number of users of a day. */
export const DayUsers = Schema.Struct({ date: Day, users: Count })
export type DayUsers = typeof DayUsers.Type

/** How many users were active, and how many are new [H5.3]. */
export const Overview = Schema.Struct({
  /** Users who were active, by UTC day. */
  dau: Schema.Array(DayUsers),
  /** Users who were active in the 7 and in the 30 UTC days up to `until`. */
  wau: Count,
  mau: Count,
  /** Users who were first seen in the range, by UTC day. */
  new_users: Schema.Array(DayUsers),
  /** The mean of the users of each of these 30 days, divided by `mau`; 0 where nobody was active. */
  stickiness: Schema.Finite,
}).annotate({ identifier: "Overview" })
export type Overview = typeof Overview.Type

/** How many of the users who were first seen in a week were active in it and in the weeks after it [H5.3]. */
export const Cohort = Schema.Struct({
  /** The Monday of the ISO week, in UTC. */
  week: Day,
  users: Count,
  /** Users active in week 0, 1, … up to the present one. */
  retained: Schema.Array(Count),
}).annotate({ identifier: "Cohort" })
export type Cohort = typeof Cohort.Type

/** Retention by week, the oldest week first [H5.3]. */
export const Retention = Schema.Struct({ cohorts: Schema.Array(Cohort) }).annotate({ identifier: "Retention" })
