import type { Clock } from "@hearth/core"
import type { Events, EventsWritten, NewEvent } from "@hearth/core/events"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { makeEventsReading, readEventsByIds } from "./read-events.ts"

// The users are locked against removal first, so that none can be removed between the check and the write. The events are
// written in the order of their external ids: two calls with the same ones wait for each other in one direction only.
// Within a call the first of them wins.
const written = (conflict: string) => `
  with input as materialized (
    select * from rows from (
      jsonb_to_recordset($1::jsonb) as (id uuid, app_user_id uuid, event_name text, properties jsonb,
                                        occurred_at timestamptz, external_id text)
    ) with ordinality as events (id, app_user_id, event_name, properties, occurred_at, external_id, ordinal)
  ), known as materialized (
    select id from app_users where id in (select app_user_id from input) order by id for key share
  ), unknown as materialized (
    select ordinal from input where not exists (select from known where known.id = input.app_user_id)
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id)
    select id, app_user_id, event_name, properties, occurred_at, external_id from input
    where not exists (select from unknown) order by external_id, ordinal
    on conflict ${conflict} do nothing returning id
  ), inserted as (
    select array_agg(id order by ordinal) as ids from written join input using (id)
  )`

const answer = `
  select (select ids from inserted) as inserted, array(select ordinal::int - 1 from unknown order by ordinal) as unknown_users`

// The same for one event, without reading JSON: apps send most events one by one.
const writtenAlone = (conflict: string) => `
  with known as (
    select id from app_users where id = $2 for key share
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id)
    select $1::uuid, id, $3, $4::jsonb, $5::timestamptz, $6 from known
    on conflict ${conflict} do nothing returning id
  ), inserted as (
    select array[id] as ids from written
  )`

const answerAlone = `
  select (select ids from inserted) as inserted,
         case when exists (select from known) then '{}'::int[] else '{0}' end as unknown_users`

// An id that exists is a fault of the caller, but not where the same events are written once more.
const byKey = "(external_id)"
const byAny = ""

const insert = `${written(byKey)} ${answer}`

const insertAlone = `${writtenAlone(byKey)} ${answerAlone}`

const queued = (bytes: string, now: string) => `queued as (
    insert into outbox (topic, event_ids, bytes, created_at)
    select 'events', ids, ${bytes}::int, ${now} from inserted where ids is not null
  )`

const insertAndQueue = (conflict: string) => `${written(conflict)}, ${queued("$2", "$3")} ${answer}`

const insertAloneAndQueue = (conflict: string) => `${writtenAlone(conflict)}, ${queued("$7", "$8")} ${answerAlone}`

const [insertManyOnce, insertManyAgain] = [insertAndQueue(byKey), insertAndQueue(byAny)]

const [insertOneOnce, insertOneAgain] = [insertAloneAndQueue(byKey), insertAloneAndQueue(byAny)]

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
  select coalesce(ids, '{}') as ids from inserted`

const counted = `
  select (
    select count(*) from engagement_events e
    where e.app_user_id = $1 and e.event_name = span.event
      and (span.since is null or e.occurred_at >= span.since) and (span.until is null or e.occurred_at <= span.until)
  ) as events
  from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) with ordinality as span (event, since, until, ordinal)
  order by ordinal`

// About the size of the other columns of an event.
const headBytes = 300

const textOf = (at: Date | null) => at?.toISOString() ?? null

interface Answered {
  readonly inserted: ReadonlyArray<string> | null
  readonly unknown_users: ReadonlyArray<number>
}

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

  const insertMany = (events: ReadonlyArray<NewEvent>, enqueue: boolean) => {
    const input = JSON.stringify(events)
    if (!enqueue) return statements.prepared<Answered>("insert-events", insert, [input])
    const values = [input, Buffer.byteLength(input), clock.now()]
    return insertAndQueueOnce(
      events,
      statements.prepared<Answered>("insert-and-queue-events", insertManyOnce, values),
      statements.rows<Answered>(insertManyAgain, values),
    )
  }
  const insertOne = (event: NewEvent, enqueue: boolean) => {
    const { id, app_user_id, event_name, properties, occurred_at, external_id } = event
    const json = JSON.stringify(properties)
    const values = [id, app_user_id, event_name, json, occurred_at, external_id]
    if (!enqueue) return statements.prepared<Answered>("insert-event", insertAlone, values)
    const queuedValues = [...values, Buffer.byteLength(json) + headBytes, clock.now()]
    return insertAndQueueOnce(
      [event],
      statements.prepared<Answered>("insert-and-queue-event", insertOneOnce, queuedValues),
      statements.rows<Answered>(insertOneAgain, queuedValues),
    )
  }
  return {
    ...makeEventsReading(statements),
    insert: (events, { enqueue }) => {
      const [only] = events
      const rows = events.length === 1 && only !== undefined ? insertOne(only, enqueue) : insertMany(events, enqueue)
      return Effect.map(rows, ([row]): EventsWritten => {
        const unknown = row?.unknown_users ?? []
        return unknown.length > 0 ? { unknown_users: unknown } : { inserted: row?.inserted ?? [] }
      })
    },
    insertCaused: (events) => {
      const input = JSON.stringify(events)
      return Effect.map(
        statements.rows<{ readonly ids: ReadonlyArray<string> }>(insertCaused, [
          input,
          Buffer.byteLength(input),
          clock.now(),
        ]),
        ([row]) => row?.ids ?? [],
      )
    },
    listByIds: (ids, { properties }) => readEventsByIds(statements, ids, properties),
    counts: (userId, spans) => {
      const columns = [
        spans.map(({ event }) => event),
        spans.map(({ since }) => textOf(since)),
        spans.map(({ until }) => textOf(until)),
      ]
      const rows = statements.rows<{ readonly events: string }>(counted, [userId, ...columns])
      return Effect.map(rows, (answered) => answered.map(({ events }) => Number(events)))
    },
  }
}
