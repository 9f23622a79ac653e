import type { JsonObject } from "@hearth/core"
import type { FoldedEvent, SubscriptionEvents } from "@hearth/core/subscriptions"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"

const save = `
  with given as materialized (
    select * from unnest($1::uuid[], $2::jsonb[], $3::jsonb[]) as given (inbox_id, event, raw)
  ), keys as materialized (
    select * from unnest($4::uuid[], $5::text[]) as keys (inbox_id, key)
  ), saved as (
    insert into subscription_events as e (inbox_id, event, raw) select inbox_id, event, raw from given order by inbox_id
    on conflict (inbox_id) do update set event = excluded.event, raw = coalesce(excluded.raw, e.raw)
  ), gone as (
    delete from subscription_event_keys k
    where inbox_id in (select inbox_id from given)
      and not exists (select from keys where keys.inbox_id = k.inbox_id and keys.key = k.key)
  )
  insert into subscription_event_keys (inbox_id, key) select inbox_id, key from keys order by inbox_id, key
  on conflict do nothing`

const connected = `
  select event from subscription_events
  where inbox_id in (
    select inbox_id from subscription_event_keys where key = any($1::text[]) and inbox_id <> all($2::uuid[])
    group by inbox_id limit $3
  )`

// Behind those whom an entry names. Entries that are removed at the same time are left out.
const share = `
  with given as materialized (
    select distinct * from unnest($1::uuid[], $2::uuid[]) as given (inbox_id, app_user_id)
  ), present as materialized (
    select id from webhook_inbox where id in (select inbox_id from given) order by id for key share
  )
  insert into webhook_inbox_users (inbox_id, app_user_id, position)
  select inbox_id, app_user_id, 1000000 from given join present on present.id = given.inbox_id
  order by inbox_id, app_user_id on conflict do nothing`

interface EventRow {
  readonly event: FoldedEvent
}

/** The provider events of a project. */
export const makeSubscriptionEvents = (statements: Statements): SubscriptionEvents => ({
  find: (entryId) =>
    Effect.map(
      statements.rows<EventRow>("select event from subscription_events where inbox_id = $1", [entryId]),
      ([row]) => Option.fromNullishOr(row?.event),
    ),
  save: (writes) => {
    const keys = writes.flatMap((write) => write.keys.map((key) => [write.event.entry_id, key] as const))
    return Effect.asVoid(
      statements.prepared("save-subscription-events", save, [
        writes.map(({ event }) => event.entry_id),
        writes.map(({ event }) => JSON.stringify(event)),
        writes.map(({ raw }) => raw && JSON.stringify(raw)),
        keys.map(([entry]) => entry),
        keys.map(([, key]) => key),
      ]),
    )
  },
  connected: (keys, known, limit) =>
    Effect.map(
      statements.prepared<EventRow>("connected-subscription-events", connected, [keys, known, limit]),
      (rows) => rows.map(({ event }) => event),
    ),
  listRaw: (entryIds) =>
    Effect.map(
      statements.rows<{ readonly inbox_id: string; readonly raw: JsonObject }>(
        "select inbox_id, raw from subscription_events where inbox_id = any($1::uuid[]) and raw is not null",
        [entryIds],
      ),
      (rows) => new Map(rows.map(({ inbox_id, raw }) => [inbox_id, raw])),
    ),
  share: (links) =>
    Effect.asVoid(
      statements.rows(share, [links.map(({ inbox_id }) => inbox_id), links.map(({ app_user_id }) => app_user_id)]),
    ),
})
