import type { Clock } from "@hearth/core"
import type { Events } from "@hearth/core/events"
import type { Statements } from "../connections/statements.ts"
import { makeInsertEvents } from "./insert-events.ts"
import { queued } from "./insert-statements.ts"
import { makeEventsReading, readEventsAt, readEventsByIds } from "./read-events.ts"

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

// The same for one event, without reading JSON, joins or sorts: most calls cause one.
const insertCausedAlone = `
  with known as (
    select id from app_users where id = $2 for key share
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, cause_key)
    select $1::uuid, id, $3::text, $4::jsonb, $5::timestamptz, $6::text from known
    on conflict (cause_key) where cause_key is not null do nothing returning id
  ), inserted as (
    select array[id] as ids from written
  ), ${queued("$7", "$8")}
  select from inserted`

/** The event log. */
export const makeEvents = (statements: Statements, clock: Clock): Events => ({
  ...makeEventsReading(statements),
  ...makeInsertEvents(statements, clock),
  insertCaused: (events) => {
    const input = JSON.stringify(events)
    const [event] = events
    if (event !== undefined && events.length === 1) {
      const { id, app_user_id, event_name, properties, occurred_at, cause_key } = event
      const values = [id, app_user_id, event_name, JSON.stringify(properties), occurred_at, cause_key]
      return statements.send(
        insertCausedAlone,
        [...values, Buffer.byteLength(input), clock.now()],
        "events-insert-one-caused",
      )
    }
    return statements.send(insertCaused, [input, Buffer.byteLength(input), clock.now()], "events-insert-caused")
  },
  listByIds: (ids, { properties }) => readEventsByIds(statements, ids, properties),
  listAt: (userId, instants, name, limit) => readEventsAt(statements, userId, instants, name, limit),
})
