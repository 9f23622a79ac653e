import type { PushCampaign, PushCampaigns } from "@hearth/core/push"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

const ended = "status in ('sent', 'cancelled', 'failed')"

// The campaigns before their segments: nobody who has such a segment wants its campaign.
const forgetSchedules = `
  with spent as materialized (
    select id from push_campaigns where scheduled_for is not null and ${ended} and updated_at < $1
    order by updated_at limit $2 for no key update skip locked
  ), gone as (
    delete from segments where campaign_id in (select id from spent)
  )
  update push_campaigns set scheduled_for = null where id in (select id from spent)`

/** Campaigns in PostgreSQL. */
export const makePushCampaigns = (statements: Statements, shape: TableShape): PushCampaigns => {
  return {
    ...makeTable<PushCampaign>(statements, shape),
    findOpen: (until, limit) =>
      statements.rows<PushCampaign>(
        `select ${shape.columns.join(", ")} from push_campaigns
         where status in ('scheduled', 'sending') and (status = 'sending' or scheduled_at <= $1)
         order by scheduled_at nulls first, id limit $2`,
        [until, limit],
      ),
    nextScheduledAt: (after) =>
      Effect.map(
        statements.rows<{ readonly at: Date }>(
          `select scheduled_at as at from push_campaigns
           where status in ('scheduled', 'sending') and status = 'scheduled' and scheduled_at > $1
           order by scheduled_at limit 1`,
          [after],
        ),
        ([row]) => row?.at ?? null,
      ),
    forgetSchedules: (before, limit) => statements.count(forgetSchedules, [before, limit]),
    oldestSchedule: () =>
      statements.instant(
        `select updated_at from push_campaigns where scheduled_for is not null and ${ended} order by updated_at limit 1`,
      ),
  }
}
