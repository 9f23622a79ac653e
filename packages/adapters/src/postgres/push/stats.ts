import type { PushStats, PushStatsRows } from "@hearth/core/push"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"

const list = `
  select campaign_id, sent, delivered, opened, failed, recipients, skipped, unknown
  from push_campaign_stats where campaign_id = any($1::uuid[])`

const add = `
  update push_campaign_stats set sent = sent + $2, delivered = delivered + $3, opened = opened + $4, failed = failed + $5,
    unknown = unknown + $6
  where campaign_id = $1`

const zeros: PushStats = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }

/** What became of campaigns, in PostgreSQL. */
export const makePushStats = (statements: Statements): PushStatsRows => ({
  ofCampaigns: (ids) =>
    Effect.map(
      statements.rows<PushStats & { readonly campaign_id: string }>(list, [ids]),
      (rows) =>
        new Map([
          ...ids.map((id) => [id, zeros] as const),
          ...rows.map(({ campaign_id, ...stats }) => [campaign_id, stats] as const),
        ]),
    ),
  add: (campaignId, { sent = 0, delivered = 0, opened = 0, failed = 0, unknown = 0 }) =>
    statements.send(add, [campaignId, sent, delivered, opened, failed, unknown], "push-stats-add"),
  end: (campaignId, now) =>
    Effect.asVoid(
      statements.rows("update push_campaign_stats set ended_at = $2 where campaign_id = $1 and ended_at is null", [
        campaignId,
        now,
      ]),
    ),
  listOpen: (limit) =>
    Effect.map(
      statements.rows<{ readonly campaign_id: string }>(
        "select campaign_id from push_campaign_stats where ended_at is null order by campaign_id limit $1",
        [limit],
      ),
      (rows) => rows.map(({ campaign_id }) => campaign_id),
    ),
  oldestKept: () =>
    Effect.map(
      statements.rows<{ readonly campaign_id: string; readonly ended_at: Date }>(
        `select campaign_id, ended_at from push_campaign_stats where is_kept and ended_at is not null
         order by ended_at, campaign_id limit 1`,
      ),
      ([row]) => Option.fromNullishOr(row),
    ),
  markForgotten: (campaignId) =>
    Effect.asVoid(
      statements.rows("update push_campaign_stats set is_kept = false where campaign_id = $1", [campaignId]),
    ),
})
