import { type Clock, Text } from "@hearth/core"
import { type EngagementEvent, type EventSpan, type Events, NewEvent } from "@hearth/core/events"
import { Schema } from "effect"
import { enterEvents } from "../background/memory-outbox-rows.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, ownerOfKey, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { select } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"
import { memoryEventsReading } from "./memory-read-events.ts"

/** An event as stored. Its external id and cause are not part of the events that are read. */
const StoredEvent = Schema.Struct({ ...NewEvent.fields, cause_key: Schema.NullOr(Text) })

/** The event log. */
export const eventShape = describeTable("events", StoredEvent, {
  unique: [["external_id"], ["cause_key"]],
  parents: { app_user_id: "users" },
})

/** How many of a user's events are in a span, both ends included. */
export const countEvents = (events: ReadonlyArray<NewEvent>, { event, since, until }: EventSpan): number =>
  events.filter(
    ({ event_name, occurred_at }) =>
      event_name === event && (since === null || since <= occurred_at) && (until === null || occurred_at <= until),
  ).length

const sizeOf = (events: ReadonlyArray<unknown>) => Buffer.byteLength(JSON.stringify(events))

/** Those of the events that exist, in the order of the ids. */
export const listEvents = (draft: Draft, ids: ReadonlyArray<string>): ReadonlyArray<EngagementEvent> =>
  ids.flatMap((id) => {
    const found = rowsOf(draft, eventShape).get(id)
    if (found === undefined) return []
    const { external_id: _, cause_key: __, ...event } = found
    return [event]
  })

/** The event log of a project. */
export const memoryEvents = (statements: Statements, clock: Clock): Events => ({
  ...memoryEventsReading(statements, eventShape),
  insert: (given, { enqueue }) =>
    statements.change((draft) => {
      const events = given.map((event) => keepRow(eventShape, { ...event, cause_key: null }))
      const users = rowsOf(draft, userShape)
      const unknown_users = events.flatMap((event, index) =>
        users.get(event.app_user_id) === undefined ? [index] : [],
      )
      if (unknown_users.length > 0) return { unknown_users }
      const inserted: Array<string> = []
      for (const event of events) {
        if (ownerOfKey(draft, eventShape, ["external_id"], event) !== undefined) continue
        inserted.push(insertRow(draft, eventShape, event).id)
      }
      if (enqueue) enterEvents(draft, clock, inserted, sizeOf(given))
      return { inserted }
    }),
  insertCaused: (given) =>
    statements.change((draft) => {
      const inserted: Array<string> = []
      for (const each of given) {
        const event = keepRow(eventShape, { ...each, external_id: null })
        const isKnown = rowsOf(draft, userShape).get(event.app_user_id) !== undefined
        if (!isKnown || ownerOfKey(draft, eventShape, ["cause_key"], event) !== undefined) continue
        inserted.push(insertRow(draft, eventShape, event).id)
      }
      enterEvents(draft, clock, inserted, sizeOf(given))
      return inserted
    }),
  listByIds: (ids, { properties }) =>
    statements.query((draft) =>
      listEvents(draft, ids).map((event) => (properties ? event : { ...event, properties: {} })),
    ),
  counts: (userId, spans) =>
    statements.query((draft) => {
      const events = select(draft, eventShape, { app_user_id: userId })
      return spans.map((span) => countEvents(events, span))
    }),
})
