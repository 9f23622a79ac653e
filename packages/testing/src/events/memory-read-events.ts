import type { CountedEvents, EngagementEvent, EventFilter, EventPosition, Events, NewEvent } from "@hearth/core/events"
import { ascending, keep } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { columnOf, rowsOf } from "../memory/rows.ts"
import type { Shape } from "../memory/shape.ts"
import { pageOf, sorted } from "../memory/table.ts"

type StoredEvent = NewEvent & { readonly cause_key: string | null }
type EventShape = Shape<StoredEvent>
type Reading = "tail" | "count" | "countBy" | "pageOfUser"

const kept = (shape: EventShape, name: keyof NewEvent, value: unknown) => keep(columnOf(shape, name), value)

/** Tests whether an event matches. Throws for values that PostgreSQL refuses. */
const isIn = (shape: EventShape, { since, until, event_name, app_user_id }: EventFilter) => {
  const bounds = [since, until ?? since].map((bound) => kept(shape, "occurred_at", bound) as Date)
  const name = event_name === undefined ? undefined : kept(shape, "event_name", event_name)
  const user = app_user_id === undefined ? undefined : kept(shape, "app_user_id", app_user_id)
  return (event: NewEvent): boolean =>
    event.occurred_at >= (bounds[0] as Date) &&
    (until === null || event.occurred_at < (bounds[1] as Date)) &&
    (name === undefined || event.event_name === name) &&
    (user === undefined || event.app_user_id === user)
}

const isAfter = (shape: EventShape, after: EventPosition | null) => {
  if (after === null) return () => true
  const at = (kept(shape, "occurred_at", after.occurred_at) as Date).getTime()
  const id = kept(shape, "id", after.id) as string
  return (event: NewEvent): boolean => {
    const occurred = event.occurred_at.getTime()
    return occurred < at || (occurred === at && event.id < id)
  }
}

const newestFirst = (shape: EventShape, events: ReadonlyArray<StoredEvent>): ReadonlyArray<EngagementEvent> =>
  sorted(shape, events, [
    ["occurred_at", "desc"],
    ["id", "desc"],
  ]).map(({ external_id: _, cause_key: __, ...event }) => event)

const keyOf = {
  day: (event: NewEvent) => event.occurred_at.toISOString().slice(0, 10),
  event_name: (event: NewEvent) => event.event_name,
}

/** The part of the event log that reads it. */
export const memoryEventsReading = (statements: Statements, shape: EventShape): Pick<Events, Reading> => {
  const all = (draft: Draft) => [...rowsOf(draft, shape).values()]
  const counted = (draft: Draft, events: CountedEvents) => all(draft).filter(isIn(shape, events))
  const byText = ascending(columnOf(shape, "event_name"))
  return {
    tail: (filter, after, limit) =>
      statements.query((draft) => {
        const events = all(draft).filter(isIn(shape, filter)).filter(isAfter(shape, after))
        return { rows: pageOf(newestFirst(shape, events), { limit, offset: 0 }).rows }
      }),
    count: (events) => statements.query((draft) => counted(draft, events).length),
    countBy: (group, events) =>
      statements.query((draft) => {
        const groups = Map.groupBy(counted(draft, events), keyOf[group])
        const buckets = [...groups].map(([key, members]) => ({ key, count: members.length }))
        return buckets.toSorted((a, b) => (group === "day" ? 0 : b.count - a.count) || byText(a.key, b.key))
      }),
    pageOfUser: (userId, slice) =>
      statements.query((draft) => {
        const user = kept(shape, "app_user_id", userId)
        const events = all(draft).filter((event) => event.app_user_id === user)
        return pageOf(newestFirst(shape, events), slice)
      }),
  }
}
