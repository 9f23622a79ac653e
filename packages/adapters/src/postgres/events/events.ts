import type { Clock } from "@hearth/core"
import { appEventKey, type Events, type EventsWritten, type NewEvent, type WritingPlane } from "@hearth/core/events"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { insertStatements, queued } from "./insert-statements.ts"
import { makeEventsReading, readEventsAt, readEventsByIds } from "./read-events.ts"

const foundIds = `
  select array_agg(given.id order by ordinal) as inserted
  from unnest($1::uuid[]) with ordinality as given (id, ordinal) join engagement_events using (id)`

// Written in the order of their keys, so that two calls wait for each other in one direction only.
const insertCaused = `
  with input as materialized (
    select * from rows from (
      jsonb_to_recordset($1::jsonb) as (id uuid, app_user_id uuid, event_name text, properties jsonb,
                                        occurred_at timestamptz, cause_key text)
    ) with ordinality as events (id, app_user_id, event_name, properties, occurred_at, cause_key, ordinal)
  ), known as materialized (
    select id from app_users where id in (select app_user_id from input) order by id for key share
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, cause_key)
    select id, app_user_id, event_name, properties, occurred_at, cause_key from input
    where app_user_id in (select id from known) order by cause_key, ordinal
    on conflict (cause_key) where cause_key is not null do nothing returning id
  ), inserted as (
    select array_agg(id order by ordinal) as ids from written join input using (id)
  ), ${queued("$2", "$3")}
  select from inserted`

// About the size of the other columns of an event.
const headBytes = 300

interface Answered {
  readonly inserted: ReadonlyArray<string> | null
  readonly unknown_users: ReadonlyArray<number>
}

/** The keys by which an event is told apart from others, and the id that an earlier release may have written [G0.3]. */
const keysOf = ({ app_user_id, external_id }: NewEvent, plane: WritingPlane) =>
  plane === "admin" || external_id === null
    ? { external_id, cause_key: null, event_id: null }
    : { external_id: null, cause_key: appEventKey(app_user_id, external_id), event_id: external_id }

/** The event log. */
export const makeEvents = (statements: Statements, clock: Clock): Events => {
  /**
   * Writes events and the outbox entry. When the answer is lost they are written once more, which waits for the end of the
   * first try and skips what that has written: what is in the log afterwards was inserted by this call.
   */
  const insertAndQueueOnce = (
    events: ReadonlyArray<NewEvent>,
    once: Effect.Effect<ReadonlyArray<Answered>>,
    again: Effect.Effect<ReadonlyArray<Answered>>,
  ) =>
    statements.confirm(
      once,
      Effect.gen(function* () {
        const [answered] = yield* again
        if (answered !== undefined && answered.unknown_users.length > 0) return [answered]
        const [found] = yield* statements.rows<Pick<Answered, "inserted">>(foundIds, [events.map(({ id }) => id)])
        return [{ inserted: found?.inserted ?? null, unknown_users: [] }]
      }),
    )

  const insertMany = (events: ReadonlyArray<NewEvent>, plane: WritingPlane, enqueue: boolean) => {
    const input = JSON.stringify(events.map((event) => ({ ...event, ...keysOf(event, plane) })))
    const { many, manyQueued, manyQueuedAgain } = insertStatements[plane]
    if (!enqueue) return statements.prepared<Answered>(`insert-events-${plane}`, many, [input])
    const values = [input, Buffer.byteLength(input), clock.now()]
    return insertAndQueueOnce(
      events,
      statements.prepared<Answered>(`insert-and-queue-events-${plane}`, manyQueued, values),
      statements.rows<Answered>(manyQueuedAgain, values),
    )
  }
  const insertOne = (event: NewEvent, plane: WritingPlane, enqueue: boolean) => {
    const { id, app_user_id, event_name, properties, occurred_at } = event
    const { external_id, cause_key, event_id } = keysOf(event, plane)
    const { one, oneQueued, oneQueuedAgain } = insertStatements[plane]
    const json = JSON.stringify(properties)
    const values = [id, app_user_id, event_name, json, occurred_at, external_id, cause_key, event_id]
    if (!enqueue) return statements.prepared<Answered>(`insert-event-${plane}`, one, values)
    const queuedValues = [...values, Buffer.byteLength(json) + headBytes, clock.now()]
    return insertAndQueueOnce(
      [event],
      statements.prepared<Answered>(`insert-and-queue-event-${plane}`, oneQueued, queuedValues),
      statements.rows<Answered>(oneQueuedAgain, queuedValues),
    )
  }
  return {
    ...makeEventsReading(statements),
    insert: (events, { enqueue, plane = "admin" }) => {
      const [only] = events
      const isOne = events.length === 1 && only !== undefined
      const rows = isOne ? insertOne(only, plane, enqueue) : insertMany(events, plane, enqueue)
      return Effect.map(rows, ([row]): EventsWritten => {
        const unknown = row?.unknown_users ?? []
        return unknown.length > 0 ? { unknown_users: unknown } : { inserted: row?.inserted ?? [] }
      })
    },
    insertCaused: (events) => {
      const input = JSON.stringify(events)
      return statements.send(insertCaused, [input, Buffer.byteLength(input), clock.now()])
    },
    listByIds: (ids, { properties }) => readEventsByIds(statements, ids, properties),
    listAt: (userId, instants, name, limit) => readEventsAt(statements, userId, instants, name, limit),
  }
}
