import type { Clock } from "@hearth/core"
import { processTopic, type WebhookInbox } from "@hearth/core/webhooks"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

const entryBytes = 64

// The users before the entry, as everywhere.
const finish = `
  with known as materialized (
    select id from app_users where id = any($5::uuid[]) order by id for key share
  ), given as materialized (
    select known.id, min(position)::int as position
    from unnest($5::uuid[]) with ordinality as listed (id, position) join known using (id) group by known.id
  ), entry as materialized (
    select id from webhook_inbox where id = $1 and (select count(*) from known) >= 0 for no key update
  ), changed as (
    update webhook_inbox i set status = $2, error = $3, processed_at = $4 from entry where i.id = entry.id
  ), gone as (
    delete from webhook_inbox_users where inbox_id = $1 and app_user_id not in (select id from given)
  ), linked as (
    insert into webhook_inbox_users (inbox_id, app_user_id, position)
    select entry.id, given.id, position from entry, given order by given.id
    on conflict (inbox_id, app_user_id) do update set position = excluded.position
  ), over as (
    delete from webhook_inbox_waits where inbox_id = $1 and provider_user_id <> all($6::text[])
  )
  insert into webhook_inbox_waits (inbox_id, provider_user_id)
  select entry.id, waits.id from entry, unnest($6::text[]) as waits (id) on conflict do nothing`

const fail = `
  update webhook_inbox set status = 'failed', error = $2, processed_at = $3
  where id = $1 and status in ('received', 'unresolved')`

const usersOf = `
  select inbox_id, array_agg(app_user_id order by position, app_user_id) as users
  from webhook_inbox_users where inbox_id = any($1::uuid[]) group by inbox_id`

// Text that is no uuid is not cast: the condition is looked at first.
const resolve = `
  select given.id as provider_id, coalesce(
    (select u.id from app_users u where u.id = case
       when given.id ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then given.id::uuid
     end),
    (select u.id from app_users u where u.external_id = given.id),
    (select u.id from app_users u where u.anonymous_id = given.id)
  ) as user_id
  from unnest($1::text[]) as given (id)`

const enqueueWaiting = `
  with waiting as materialized (
    select w.inbox_id from webhook_inbox_waits w join webhook_inbox i on i.id = w.inbox_id and i.status = 'unresolved'
    where w.provider_user_id = $1 and ($2::uuid is null or w.inbox_id > $2) order by w.inbox_id limit $3
  ), queued as (
    insert into outbox (topic, event_ids, payload, bytes, created_at)
    select '${processTopic}', '{}', jsonb_build_object('inbox_id', inbox_id), ${entryBytes}, $4
    from waiting order by inbox_id
  )
  select inbox_id, (select count(*)::int from waiting) as count from waiting order by inbox_id desc limit 1`

const forgetWaiting = `
  delete from webhook_inbox where id in (
    select i.id from webhook_inbox i
    where i.id in (select inbox_id from webhook_inbox_waits where provider_user_id = any($1::text[]))
      and not exists (
        select from webhook_inbox_users named join app_users u on u.id = named.app_user_id where named.inbox_id = i.id
      )
    order by i.id limit $2 for update of i
  )`

interface Resolved {
  readonly provider_id: string
  readonly user_id: string | null
}

/** The entries of users, and what their processing has come to. */
export const makeInboxUsers = (
  statements: Statements,
  clock: Clock,
): Pick<
  WebhookInbox,
  "finish" | "fail" | "usersOf" | "resolve" | "enqueueWaiting" | "forgetUser" | "forgetWaiting"
> => ({
  finish: (id, { status, error, processed_at, user_ids, waits_for }) =>
    Effect.asVoid(statements.rows(finish, [id, status, error, processed_at, user_ids, waits_for])),
  fail: (id, error, at) => Effect.asVoid(statements.rows(fail, [id, error, at])),
  usersOf: (ids) =>
    Effect.map(
      statements.rows<{ readonly inbox_id: string; readonly users: ReadonlyArray<string> }>(usersOf, [ids]),
      (rows) => new Map(rows.map(({ inbox_id, users }) => [inbox_id, users])),
    ),
  resolve: (ids) =>
    Effect.map(
      statements.rows<Resolved>(resolve, [ids]),
      (rows) =>
        new Map(
          rows.flatMap(({ provider_id, user_id }) => (user_id === null ? [] : [[provider_id, user_id] as const])),
        ),
    ),
  enqueueWaiting: Effect.fnUntraced(function* (providerId, after, limit) {
    const rows = yield* statements.rows<{ readonly inbox_id: string; readonly count: number }>(enqueueWaiting, [
      ...[providerId, after, limit, clock.now()],
    ])
    const [last] = rows
    return last === undefined || last.count < limit ? null : last.inbox_id
  }),
  // Locked first: of two users who are removed at once, the second one sees that the first is gone.
  forgetUser: Effect.fnUntraced(function* (userId, limit) {
    const locked = yield* statements.rows<{ readonly id: string }>(
      `select i.id from webhook_inbox i where i.id in (
         select inbox_id from webhook_inbox_users where app_user_id = $1 order by inbox_id limit $2
       ) order by i.id for update`,
      [userId, limit],
    )
    const ids = locked.map(({ id }) => id)
    if (ids.length > 0)
      yield* statements.rows(
        `with cut as (
           delete from webhook_inbox_users where app_user_id = $1 and inbox_id = any($2::uuid[])
         )
         delete from webhook_inbox i where i.id = any($2::uuid[]) and not exists (
           select from webhook_inbox_users other where other.inbox_id = i.id and other.app_user_id <> $1
         )`,
        [userId, ids],
      )
    return ids.length === limit
  }),
  forgetWaiting: (providerIds, limit) =>
    Effect.map(statements.count(forgetWaiting, [providerIds, limit]), (count) => count === limit),
})
