import { type Clock, Text } from "@hearth/core"
import { appEventKey, type EngagementEvent, type Events, NewEvent, type WritingPlane } from "@hearth/core/events"
import { Schema } from "effect"
import { enterEvents } from "../background/memory-outbox-rows.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, lockRows, ownerOfKey, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { removeOfUser, select, sorted } from "../memory/table.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"
import { memoryEventsReading } from "./memory-read-events.ts"

/** An event as stored. Its external id and cause are not part of the events that are read. */
const StoredEvent = Schema.Struct({ ...NewEvent.fields, cause_key: Schema.NullOr(Text) })
type StoredEvent = typeof StoredEvent.Type

/** The event log. */
export const eventShape = describeTable("events", StoredEvent, {
  unique: [["external_id"], ["cause_key"]],
  indexed: [["event_name", "occurred_at", "id"]],
  parents: { app_user_id: "users" },
})

const sizeOf = (events: ReadonlyArray<unknown>) => Buffer.byteLength(JSON.stringify(events))

/** Those of the events that exist, in the order of the ids. */
export const listEvents = (draft: Draft, ids: ReadonlyArray<string>): ReadonlyArray<EngagementEvent> =>
  ids.flatMap((id) => {
    const found = rowsOf(draft, eventShape).get(id)
    if (found === undefined) return []
    const { external_id: _, cause_key: __, ...event } = found
    return [event]
  })

/** Locks the users of these events, in the order of their ids, against removal. Answers those that exist. */
const lockAuthors = (draft: Draft, events: ReadonlyArray<{ readonly app_user_id: string }>): ReadonlySet<string> => {
  const users = readUsers(
    draft,
    events.map(({ app_user_id }) => app_user_id),
  )
  return new Set(lockRows(draft, userShape, users, "key share").map(({ id }) => id))
}

/** The event as it is stored: the id of an app is kept as a cause [G0.3]. */
const describeStored = (event: NewEvent, plane: WritingPlane): StoredEvent => {
  const { app_user_id, external_id } = event
  if (plane === "admin" || external_id === null) return { ...event, cause_key: null }
  return { ...event, external_id: null, cause_key: appEventKey(app_user_id, external_id) }
}

/** Inserts the events whose key is new, in the order of their keys. Answers their ids in the order of the events. */
const insertNew = (draft: Draft, key: "external_id" | "cause_key", events: ReadonlyArray<StoredEvent>) => {
  const inserted = new Set<string>()
  for (const event of events.toSorted((a, b) => ((a[key] ?? "") < (b[key] ?? "") ? -1 : 1))) {
    if (ownerOfKey(draft, eventShape, [key], event) === undefined) inserted.add(insertRow(draft, eventShape, event).id)
  }
  return events.map(({ id }) => id).filter((id) => inserted.has(id))
}

/** The event log of a project. */
export const memoryEvents = (statements: Statements, clock: Clock): Events => ({
  ...memoryEventsReading(statements, eventShape),
  insert: (given, { enqueue, plane = "admin" }) =>
    statements.change((draft) => {
      const events = given.map((event) => keepRow(eventShape, describeStored(event, plane)))
      const known = lockAuthors(draft, events)
      const unknown_users = events.flatMap(({ app_user_id }, index) => (known.has(app_user_id) ? [] : [index]))
      if (unknown_users.length > 0) return { unknown_users }
      const inserted = insertNew(draft, plane === "client" ? "cause_key" : "external_id", events)
      if (enqueue) enterEvents(draft, clock, inserted, sizeOf(given))
      return { inserted }
    }),
  insertNew: (given, plane) =>
    statements.change((draft) => {
      const event = keepRow(eventShape, describeStored(given, plane))
      const isKnown = lockAuthors(draft, [event]).size > 0
      const inserted = isKnown ? insertNew(draft, plane === "client" ? "cause_key" : "external_id", [event]) : []
      if (inserted.length === 0) throw new Error(`The event ${given.id} is not new, or has no user.`)
    }),
  insertCaused: (given) =>
    statements.change((draft) => {
      const events = given.map((event) => keepRow(eventShape, { ...event, external_id: null }))
      const known = lockAuthors(draft, events)
      const inserted = insertNew(
        draft,
        "cause_key",
        events.filter(({ app_user_id }) => known.has(app_user_id)),
      )
      enterEvents(draft, clock, inserted, sizeOf(given))
    }),
  listByIds: (ids, { properties }) =>
    statements.query((draft) =>
      listEvents(draft, ids).map((event) => (properties ? event : { ...event, properties: {} })),
    ),
  listAt: (userId, instants, name, limit) =>
    statements.query((draft) => {
      const theirs = sorted(eventShape, select(draft, eventShape, { app_user_id: userId }), [])
      const at = new Set(instants.map((instant) => instant.getTime()))
      const found = Map.groupBy(
        theirs.filter(({ occurred_at }) => at.has(occurred_at.getTime())),
        ({ occurred_at }) => occurred_at.getTime(),
      )
      const chosen = [...found]
        .toSorted(([a], [b]) => a - b)
        .flatMap(([, events]) => {
          const named = events.filter(({ event_name }) => event_name === name)
          return (named.length > 0 ? named : events).slice(0, limit)
        })
      return chosen.map(({ external_id: _, cause_key: __, ...event }) => ({ ...event, properties: {} }))
    }),
  removeSome: (userId, limit) => removeOfUser(statements, eventShape, userId, limit),
})
