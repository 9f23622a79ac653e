import type { Clock } from "@hearth/core"
import type {
  ClaimedDelivery,
  DeadDevice,
  DeliveryResult,
  PushDeliveries,
  PushDelivery,
  Receipt,
} from "@hearth/core/push"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { makeGather } from "./gather-audience.ts"

// The campaign cannot end before the claim is committed. Where it waits for one that is about to end, it looks again.
const claim = `
  with sending as materialized (
    select id from push_campaigns where id = $1 and status = 'sending' for share
  ), due as materialized (
    select d.id from push_deliveries d
    where d.campaign_id = (select id from sending) and d.status = 'pending' and d.try_at <= $2
      and d.provider = any($3::text[]) and (d.try_at, d.id) > ($6::timestamptz, $7::uuid)
    order by d.try_at, d.id limit $4 for no key update skip locked
  ), claimed as (
    update push_deliveries d set status = 'claimed', claimed_at = $2, tries = d.tries + 1 from due where d.id = due.id
    returning d.id, d.app_user_id, d.push_token_id, d.provider, d.fire_at, d.try_at, d.tries
  )
  select c.*, u.display_name, case when not u.is_disabled then t.token end as token,
    coalesce((
      select jsonb_object_agg(key, u.properties -> key) from unnest($5::text[]) key where u.properties ? key
    ), '{}') as properties
  from claimed c join app_users u on u.id = c.app_user_id
  left join push_tokens t on t.id = c.push_token_id and t.app_user_id = c.app_user_id and t.is_active
  order by c.id`

// What is due is read in the order of its index, and no further than needed. Where PostgreSQL believes that a campaign has few
// deliveries, as of its statistics it must of a project's first large one, it would rather collect and sort all of them for each claim.
const readInOrder = "select set_config('enable_bitmapscan', 'off', true)"

// Before every delivery.
const start = ["-infinity", "00000000-0000-0000-0000-000000000000"]

// The users first, so that nobody who removes one of them is waited for while they wait for a delivery. What is given is joined once,
// where the deliveries are locked: the plan that is kept for any number of them would compare each with each if it were joined again.
const finish = `
  with known as materialized (
    select id from app_users where id = any($1::uuid[]) order by id for key share
  ), locked as materialized (
    select d.id, g.status, g.error, g.try_at
    from unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) as g (id, status, error, try_at)
    join push_deliveries d on d.id = g.id and d.status = 'claimed' and d.claimed_at = $6
    where (select count(*) from known) >= 0
    order by d.id for no key update of d
  ), finished as (
    update push_deliveries d set status = locked.status, error = locked.error, try_at = coalesce(locked.try_at, d.try_at),
      sent_at = case when locked.status = 'sent' then $7::timestamptz end,
      claimed_at = case when locked.status = 'pending' then null else d.claimed_at end
    from locked where d.id = locked.id returning d.id
  )
  select array_agg(id) as ids from finished`

const deactivate = `
  with given as materialized (
    select * from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as g (id, reason, since)
  ), locked as materialized (
    select t.id, g.reason from push_tokens t join given g using (id)
    where t.is_active and t.registered_at <= g.since order by t.id for no key update of t
  )
  update push_tokens t set is_active = false, deactivated_at = $4, deactivated_reason = locked.reason
  from locked where t.id = locked.id`

const someOf = (where: string, limit: string) => `
  with chosen as materialized (
    select id from push_deliveries where campaign_id = $1 and ${where}
    order by id limit ${limit} for no key update skip locked
  )`

const giveUp = `${someOf("status = 'claimed' and claimed_at <= $2", "$3")}
  update push_deliveries d set status = 'unknown', error = 'PROCESS_LOST' from chosen where d.id = chosen.id`

const settle = `${someOf("status = 'pending'", "$4")}
  update push_deliveries d set status = $2, error = $3 from chosen where d.id = chosen.id`

const forget = `
  delete from push_deliveries where id in (
    select id from push_deliveries where campaign_id = $1 order by id limit $2
  )`

const waiting = `
  select (select try_at from push_deliveries where campaign_id = $1 and status = 'pending' order by try_at limit 1) as try_at,
    (select min(claimed_at) from push_deliveries where campaign_id = $1 and status = 'claimed') as claimed_at`

// What was never handed to a provider cannot have come.
const receive = `
  with present as materialized (
    select id, delivered_at, opened_at from push_deliveries
    where id = $1 and app_user_id = $2 and status in ('claimed', 'sent', 'unknown') for no key update
  )
  update push_deliveries d set delivered_at = coalesce(present.delivered_at, $3),
    opened_at = case when $4 then coalesce(present.opened_at, $3) else present.opened_at end
  from present where d.id = present.id
  returning d.id, d.campaign_id, d.delivered_at, d.opened_at, present.delivered_at is null as is_new_delivered,
    $4 and present.opened_at is null as is_new_opened`

const resultValues = (results: ReadonlyArray<DeliveryResult>) => [
  [...new Set(results.map(({ app_user_id }) => app_user_id))],
  results.map(({ id }) => id),
  results.map(({ status }) => status),
  results.map(({ error }) => error),
  results.map(({ try_at }) => try_at),
]

const deviceValues = (devices: ReadonlyArray<DeadDevice>) => [
  devices.map(({ push_token_id }) => push_token_id),
  devices.map(({ reason }) => reason),
  devices.map(({ since }) => since),
]

/** The deliveries of campaigns in PostgreSQL. */
export const makePushDeliveries = (statements: Statements, shape: TableShape, clock: Clock): PushDeliveries => ({
  ...makeTable<PushDelivery>(statements, shape),
  gather: makeGather(statements, clock),
  claim: (campaignId, { now, limit, providers, after, properties }) => {
    const from = after === null ? start : [after.try_at, after.id]
    const values = [campaignId, now, providers, limit, properties, ...from]
    return Effect.andThen(
      statements.send(readInOrder, [], "push-read-in-order"),
      Effect.map(statements.prepared<Omit<ClaimedDelivery, "claimed_at">>("push-claim", claim, values), (rows) =>
        rows.map((row) => ({ ...row, claimed_at: now })),
      ),
    )
  },
  finish: (results, claimedAt, now) =>
    Effect.map(
      statements.prepared<{ readonly ids: ReadonlyArray<string> | null }>("push-finish", finish, [
        ...resultValues(results),
        claimedAt,
        now,
      ]),
      ([row]) => {
        const finished = new Set(row?.ids)
        return results.flatMap(({ id, app_user_id, status }) => (finished.has(id) ? [{ id, app_user_id, status }] : []))
      },
    ),
  deactivate: (devices, now) => Effect.asVoid(statements.rows(deactivate, [...deviceValues(devices), now])),
  giveUp: (campaignId, claimedUntil, limit) => statements.count(giveUp, [campaignId, claimedUntil, limit]),
  settle: (campaignId, status, error, limit) => statements.count(settle, [campaignId, status, error, limit]),
  waiting: (campaignId) =>
    Effect.map(
      statements.rows<{ readonly try_at: Date | null; readonly claimed_at: Date | null }>(waiting, [campaignId]),
      ([row]) => row ?? { try_at: null, claimed_at: null },
    ),
  receive: (userId, { delivery_id, type }, now) =>
    Effect.map(statements.rows<Receipt>(receive, [delivery_id, userId, now, type === "opened"]), ([row]) =>
      Option.fromNullishOr(row),
    ),
  forget: (campaignId, limit) => statements.count(forget, [campaignId, limit]),
})
