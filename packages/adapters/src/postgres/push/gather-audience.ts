import type { Clock } from "@hearth/core"
import type { Audience, PushDeliveries, PushProvider } from "@hearth/core/push"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { uuidSql } from "../sql/uuid.ts"
import { audienceSql, membersSql } from "./audience-sql.ts"

// A campaign to everybody takes longer than the timeout of a call, and after that work it is better to wait for a lock than to
// begin again.
const [mostMillis, lockMillis] = [10 * 60_000, 60_000]

// Whom it reaches is kept in the transaction, so that no row is locked while that is found out.
const createAudience = `
  create temporary table push_audience (
    app_user_id uuid not null, push_token_id uuid not null, provider text not null, timezone text
  ) on commit drop`

const findAudience = (members: string | null) => `
  insert into push_audience
  select u.id, t.id, t.provider, u.timezone
  from (${audienceSql(members)}) u join push_tokens t on t.app_user_id = u.id and t.is_active`

// Against removal. Those who are gone by now are left out when the deliveries are written.
const lockUsers = `
  with locked as materialized (
    select u.id from app_users u where u.id in (select app_user_id from push_audience) order by u.id for key share of u
  )
  select count(*) from locked`

const writeDeliveries = `
  with firings as materialized (
    select coalesce(timezone, '') as zone, fire_at, is_skipped
    from unnest($2::text[], $3::timestamptz[], $4::boolean[]) as f (timezone, fire_at, is_skipped)
  ), chosen as (
    select a.app_user_id, a.push_token_id, a.provider, f.fire_at, f.is_skipped,
      row_number() over (order by f.fire_at, a.app_user_id, a.push_token_id) as number
    from push_audience a join app_users u on u.id = a.app_user_id join firings f on f.zone = coalesce(a.timezone, '')
  ), written as (
    insert into push_deliveries (id, campaign_id, app_user_id, push_token_id, provider, status, error, fire_at, try_at, tries)
    select ${uuidSql("$6::bigint", "number")}, $1, app_user_id, push_token_id, provider,
      case when is_skipped then 'skipped' when $5::text is not null then 'failed' else 'pending' end,
      case when is_skipped then 'TOO_LATE' else $5 end, fire_at, fire_at, 0
    from chosen order by number
    returning app_user_id, status
  )
  insert into push_campaign_stats
    (campaign_id, sent, delivered, opened, failed, recipients, skipped, unknown, ended_at, is_kept)
  select $1, 0, 0, 0, count(*) filter (where status = 'failed'),
    count(distinct app_user_id) filter (where status <> 'skipped'),
    count(distinct app_user_id) filter (where status = 'skipped'), 0, null, true
  from written`

/** Fixes whom a campaign reaches. */
export const makeGather = (statements: Statements, clock: Clock): PushDeliveries["gather"] =>
  Effect.fnUntraced(function* ({ id, segment_id }) {
    yield* statements.allow(mostMillis, lockMillis)
    yield* statements.rows(createAudience)
    yield* segment_id === null
      ? statements.rows(findAudience(null))
      : statements.rows(findAudience(membersSql("$1")), [segment_id])
    yield* statements.rows("analyze push_audience")
    yield* statements.rows(lockUsers)
    const found = yield* statements.rows<{ readonly timezone: string | null; readonly provider: PushProvider }>(
      "select distinct timezone, provider from push_audience order by 1, 2",
    )
    return {
      providers: [...new Set(found.map(({ provider }) => provider))].toSorted(),
      timezones: [...new Set(found.map(({ timezone }) => timezone))],
      writeDeliveries: Effect.fnUntraced(function* (firings, error) {
        const zones = [
          firings.map(({ timezone }) => timezone),
          firings.map(({ fire_at }) => fire_at.toISOString()),
          firings.map(({ is_skipped }) => is_skipped),
        ]
        yield* statements.rows(writeDeliveries, [id, ...zones, error, clock.now().getTime()])
        yield* statements.rows("drop table push_audience")
      }),
    } satisfies Audience
  })
