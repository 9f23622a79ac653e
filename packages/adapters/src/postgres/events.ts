import type { Clock, Events, EventsWritten } from "@hearth/core"
import { Effect } from "effect"
import type { Statements } from "./statements.ts"

// The users are locked against removal first, so that none can go between the look and the write. The events are
// written in the order of their external ids: two calls with the same ones wait for each other in one direction only.
// Within a call the first of them wins.
const written = `
  with input as materialized (
    select * from rows from (
      jsonb_to_recordset($1::jsonb) as (id uuid, app_user_id uuid, event_name text, properties jsonb,
                                        occurred_at timestamptz, external_id text)
    ) with ordinality as events (id, app_user_id, event_name, properties, occurred_at, external_id, slot)
  ), known as materialized (
    select id from app_users where id in (select app_user_id from input) order by id for key share
  ), unknown as materialized (
    select slot from input where not exists (select from known where known.id = input.app_user_id)
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id)
    select id, app_user_id, event_name, properties, occurred_at, external_id from input
    where not exists (select from unknown) order by external_id, slot
    on conflict (external_id) do nothing returning id
  ), inserted as (
    select array_agg(id order by slot) as ids from written join input using (id)
  )`

const answer = `
  select (select ids from inserted) as inserted, array(select slot::int - 1 from unknown order by slot) as unknown_users`

const insert = `${written} ${answer}`

const insertAndQueue = `${written}, queued as (
    insert into outbox (topic, event_ids, created_at) select 'events', ids, $2 from inserted where ids is not null
  ) ${answer}`

interface Answered {
  readonly inserted: ReadonlyArray<string> | null
  readonly unknown_users: ReadonlyArray<number>
}

/** The event log. */
export const makeEvents = (statements: Statements, clock: Clock): Events => ({
  insert: (events, { enqueue }) => {
    const input = JSON.stringify(events)
    const rows = enqueue
      ? statements.prepared<Answered>("insert-and-queue-events", insertAndQueue, [input, clock.now()])
      : statements.prepared<Answered>("insert-events", insert, [input])
    return Effect.map(rows, ([row]): EventsWritten => {
      const unknown = row?.unknown_users ?? []
      return unknown.length > 0 ? { unknown_users: unknown } : { inserted: row?.inserted ?? [] }
    })
  },
})
