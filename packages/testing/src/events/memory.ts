import type { Clock, EngagementEvent, EventSpan, Events, NewEvent, Outbox, OutboxEntry } from "@hearth/core"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, ownerOfKey, removeRow, rowsOf } from "../memory/rows.ts"
import { shapeOf } from "../memory/shape.ts"
import { select } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"
import { memoryEventsReading } from "./memory-read-events.ts"

/** The event log. */
export const eventShape = shapeOf<NewEvent>(
  "events",
  {
    id: "uuid",
    app_user_id: "uuid",
    event_name: "text",
    properties: "json",
    occurred_at: "instant",
    external_id: "text?",
  },
  { unique: [["external_id"]], parents: { app_user_id: "users" } },
)

interface OutboxRow extends OutboxEntry {
  readonly event_ids: ReadonlyArray<string>
}

/** What has not been handled, oldest first. */
export const outboxShape = shapeOf<OutboxRow>("outbox", {
  id: "text",
  topic: ["events", "streak-definition"],
  subject: "json?",
  event_ids: "json",
  created_at: "instant",
})

const enter = (draft: Draft, clock: Clock, entry: Pick<OutboxRow, "topic" | "subject" | "event_ids">) =>
  insertRow(draft, outboxShape, { ...entry, id: String(draft.next()), created_at: clock.now() })

/** How many of a user's events are in a span, both ends included. */
export const countEvents = (events: ReadonlyArray<NewEvent>, { event, since, until }: EventSpan): number =>
  events.filter(
    ({ event_name, occurred_at }) =>
      event_name === event && (since === null || since <= occurred_at) && (until === null || occurred_at <= until),
  ).length

/** The event log of a project. */
export const memoryEvents = (statements: Statements, clock: Clock): Events => ({
  ...memoryEventsReading(statements, eventShape),
  insert: (given, { enqueue }) =>
    statements.change((draft) => {
      const events = given.map((event) => keepRow(eventShape, event))
      const users = rowsOf(draft, userShape)
      const unknown_users = events.flatMap((event, slot) => (users.get(event.app_user_id) === undefined ? [slot] : []))
      if (unknown_users.length > 0) return { unknown_users }
      const inserted: Array<string> = []
      for (const event of events) {
        if (ownerOfKey(draft, eventShape, ["external_id"], event) !== undefined) continue
        inserted.push(insertRow(draft, eventShape, event).id)
      }
      if (enqueue && inserted.length > 0) enter(draft, clock, { topic: "events", subject: null, event_ids: inserted })
      return { inserted }
    }),
  counts: (userId, spans) =>
    statements.query((draft) => {
      const events = select(draft, eventShape, { app_user_id: userId })
      return spans.map((span) => countEvents(events, span))
    }),
})

/** The entries from the oldest on that fit into the budget, themselves and their events; at least one. */
const fitting = (entries: Iterable<OutboxRow>, maxEvents: number): ReadonlyArray<OutboxRow> => {
  const taken: Array<OutboxRow> = []
  let count = 0
  for (const entry of entries) {
    count += entry.event_ids.length
    if (taken.length > 0 && (count > maxEvents || taken.length >= maxEvents)) break
    taken.push(entry)
  }
  return taken
}

const eventOf = (draft: Draft, id: string): ReadonlyArray<EngagementEvent> => {
  const found = rowsOf(draft, eventShape).get(id)
  if (found === undefined) return []
  const { external_id: _, ...event } = found
  return [event]
}

/** The outbox of a project. */
export const memoryOutbox = (statements: Statements, clock: Clock): Outbox => ({
  // Transactions run one after the other: whoever is in one holds the outbox.
  hold: () => statements.query(() => undefined),
  next: (maxEvents) =>
    statements.query((draft) => {
      const entries = fitting(rowsOf(draft, outboxShape).values(), maxEvents)
      return {
        entries: entries.map(({ event_ids: _, ...entry }) => entry),
        events: entries.flatMap((entry) => entry.event_ids.flatMap((id) => eventOf(draft, id))),
      }
    }),
  add: (topic, subject) =>
    statements.change((draft) => {
      enter(draft, clock, { topic, subject, event_ids: [] })
    }),
  remove: (ids) =>
    statements.change((draft) => {
      for (const id of ids) {
        const entry = rowsOf(draft, outboxShape).get(id)
        if (entry !== undefined) removeRow(draft, outboxShape, entry)
      }
    }),
  waiting: () =>
    statements.query((draft) => {
      const entries = [...rowsOf(draft, outboxShape).values()]
      return { entries: entries.length, oldest: entries[0]?.created_at ?? null }
    }),
})
