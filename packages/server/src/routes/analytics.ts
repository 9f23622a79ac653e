import { Timestamp } from "@hearth/core"
import { AnalyticsRangeTooLarge, HourFigures, Overview, Retention, SessionFigures } from "@hearth/core/analytics"
import { InvalidSince, InvalidUntil } from "@hearth/core/events"
import { Effect, Schema } from "effect"
import { digits } from "../http/request/query.ts"
import { ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

const range = {
  query: { since: Schema.optionalKey(Timestamp), until: Schema.optionalKey(Timestamp) },
  malformed: { since: InvalidSince, until: InvalidUntil },
} as const

const weeks = digits(1, 26).pipe(Schema.withDecodingDefaultKey(Effect.succeed("8")))

/** Decisions D and H5: how an app is used. */
export const analyticsRoutes = [
  route("GET", "/admin/projects/:projectId/analytics/sessions", {
    id: "analytics.sessions",
    ...range,
    summary:
      "Counts the sessions that have started in a range, by day, platform and app version; the last 30 days by default",
    description: "At most 366 days. Durations are of sessions that have ended.",
    access: "developer",
    errors: [InvalidSince, InvalidUntil, AnalyticsRangeTooLarge],
    returns: ok(SessionFigures),
    run: ({ core, params, query }) => core.analytics.sessions(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/analytics/hours", {
    id: "analytics.hours",
    ...range,
    summary: "Counts the events of each hour, and the users who did them; those of the last 24 hours by default",
    description: "At most 7 days. Hours begin on the hour in UTC; those without events are left out.",
    access: "developer",
    errors: [InvalidSince, InvalidUntil, AnalyticsRangeTooLarge],
    returns: ok(HourFigures),
    run: ({ core, params, query }) => core.analytics.hours(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/analytics/overview", {
    id: "analytics.overview",
    ...range,
    summary: "Counts active and new users by day, and the active ones of the 7 and 30 days up to the end of the range",
    description:
      "Active is who had a session or did something. `stickiness` is the mean of daily users over monthly users.",
    access: "developer",
    errors: [InvalidSince, InvalidUntil, AnalyticsRangeTooLarge],
    returns: ok(Overview),
    run: ({ core, params, query }) => core.analytics.overview(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/analytics/retention", {
    id: "analytics.retention",
    summary: "Counts, by week of their first visit, users who came back in the weeks after it",
    description:
      "Rows of users by the week in which they first came; `retained[n]` is how many of them were active n weeks later.",
    access: "developer",
    query: { weeks },
    returns: ok(Retention),
    run: ({ core, params, query }) => core.analytics.retention(params.projectId, query.weeks),
  }),
]
