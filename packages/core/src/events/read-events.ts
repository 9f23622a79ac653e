import { Effect, Schema } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { Count } from "../schema.ts"
import { countAskedDays } from "../time/asked-days.ts"
import { dayMillis } from "../time/zones.ts"
import { EventCursor } from "./cursor.ts"
import { EngagementEvent } from "./event.ts"
import { InvalidRange, MissingSince, RangeTooLarge } from "./failures.ts"
import type { EventPosition, EventsDb } from "./port.ts"

/** The longest range of one count, in days. */
export const maxCountedDays = 90

/** A page of the log, the newest first. `next_cursor` is null at the end. */
export const EventTail = Schema.Struct({
  data: Schema.Array(EngagementEvent),
  next_cursor: Schema.NullOr(EventCursor),
}).annotate({ identifier: "EventTail" })

/** How a count can be grouped: by day in UTC, or by name. */
export const EventGroup = Schema.Literals(["day", "event_name"])

/** The number of events; `buckets` when the count was grouped. */
export const EventCount = Schema.Struct({
  total: Count,
  buckets: Schema.optionalKey(Schema.Array(Schema.Struct({ key: Schema.String, count: Count }))),
}).annotate({ identifier: "EventCount" })

/** A query of the log. Bounds are half-open [A12]. */
export interface TailQuery {
  readonly since?: Date
  readonly until?: Date
  readonly event_name?: string
  readonly user_id?: string
  readonly limit: number
  readonly cursor?: EventPosition
}

/** A query of a count. Bounds are half-open [A12]. */
export interface CountQuery {
  readonly since?: Date
  readonly until?: Date
  readonly event_name?: string
  readonly group_by?: typeof EventGroup.Type
}

const checkRange = (query: CountQuery, now: Date) => {
  const { since, until = now, event_name } = query
  if (since === undefined) return Effect.fail(new MissingSince())
  const days = countAskedDays(since, query.until, now)
  if (days < 0) return Effect.fail(new InvalidRange())
  return days > maxCountedDays
    ? Effect.fail(new RangeTooLarge({ max_days: maxCountedDays, requested_days: Math.ceil(days) }))
    : Effect.succeed({ since, until, event_name })
}

/** Reads of the event log, for developers. */
export const makeReadEvents = ({ clock, tenants }: Pick<Ports<EventsDb>, "clock" | "tenants">) => ({
  /**
   * A page of events, the newest first. Without `since` it covers the last 24 hours. Where the events are large it is cut, and its
   * cursor leads on to what is left out (ADR 0021).
   */
  tail: Effect.fn("events.tail")(function* (projectId: string, query: TailQuery) {
    const { since = new Date(clock.now().getTime() - dayMillis), until = null, limit, cursor = null } = query
    const filter = { since, until, event_name: query.event_name, app_user_id: query.user_id }
    const { rows, is_cut = false } = yield* tenants.read(projectId, (db) => db.events.tail(filter, cursor, limit))
    const next_cursor = rows.length < limit && !is_cut ? null : (rows.at(-1) ?? null)
    return { data: rows, next_cursor, ...(is_cut && { is_cut }) }
  }),

  /**
   * Counts events in a range of at most 90 days. Without `until` it ends now (spec: admin plane, events). `MISSING_SINCE`;
   * `INVALID_RANGE` where it ends before it begins; `RANGE_TOO_LARGE`.
   */
  count: Effect.fn("events.count")(function* (projectId: string, query: CountQuery) {
    const counted = yield* checkRange(query, clock.now())
    const { group_by } = query
    if (group_by === undefined) {
      return { total: yield* tenants.read(projectId, (db) => db.events.count(counted)) }
    }
    const buckets = yield* tenants.read(projectId, (db) => db.events.countBy(group_by, counted))
    return { total: buckets.reduce((sum, { count }) => sum + count, 0), buckets }
  }),

  /** The events of a user, the newest first (spec: admin plane, users). */
  ofUser: (projectId: string, userId: string, slice: Slice) =>
    tenants.read(projectId, (db) => db.events.pageOfUser(userId, slice)),
})
