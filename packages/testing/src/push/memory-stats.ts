import { Timestamp, Uuid } from "@hearth/core"
import { PushStats, type PushStatsRows } from "@hearth/core/push"
import { Effect, Option, Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { sorted } from "../memory/table.ts"

const PushStatsRow = Schema.Struct({
  id: Uuid,
  campaign_id: Uuid,
  ...PushStats.fields,
  ended_at: Schema.NullOr(Timestamp),
  is_kept: Schema.Boolean,
})
type PushStatsRow = typeof PushStatsRow.Type

/** The statistics of campaigns, by their ids. */
export const pushStatsShape = describeTable("push campaign stats", PushStatsRow, {
  parents: { campaign_id: "push campaigns" },
})

const zeros: PushStats = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }

const change = (draft: Draft, id: string, changes: (row: PushStatsRow) => Partial<PushStatsRow>) => {
  const row = rowsOf(draft, pushStatsShape).get(id)
  if (row !== undefined) replaceRow(draft, pushStatsShape, row, { ...row, ...changes(row) })
}

const readAll = (draft: Draft) => [...rowsOf(draft, pushStatsShape).values()]

/** What became of campaigns, in memory. */
export const memoryPushStats = (statements: Statements): PushStatsRows => ({
  ofCampaigns: (ids) =>
    statements.query((draft) => {
      const known = ids.map((id) => {
        const row = rowsOf(draft, pushStatsShape).get(id)
        if (row === undefined) return [id, zeros] as const
        const { id: _, campaign_id: __, ended_at: ___, is_kept: ____, ...stats } = row
        return [id, stats] as const
      })
      return new Map<string, PushStats>(known)
    }),
  add: (campaignId, { sent = 0, delivered = 0, opened = 0, failed = 0, unknown = 0 }) =>
    statements.change((draft) =>
      change(draft, campaignId, (row) => ({
        ...{ sent: row.sent + sent, delivered: row.delivered + delivered, opened: row.opened + opened },
        ...{ failed: row.failed + failed, unknown: row.unknown + unknown },
      })),
    ),
  end: (campaignId, now) =>
    statements.change((draft) => change(draft, campaignId, ({ ended_at }) => ({ ended_at: ended_at ?? now }))),
  listOpen: (limit) =>
    statements.query((draft) =>
      sorted(
        pushStatsShape,
        readAll(draft).filter(({ ended_at }) => ended_at === null),
        [],
      )
        .slice(0, limit)
        .map(({ id }) => id),
    ),
  oldestKept: () =>
    Effect.map(
      statements.query((draft) => {
        const kept = readAll(draft).filter(({ ended_at, is_kept }) => is_kept && ended_at !== null)
        const first = sorted(pushStatsShape, kept, [["ended_at", "asc"]])[0]
        return first?.ended_at ? { campaign_id: first.id, ended_at: first.ended_at } : null
      }),
      Option.fromNullishOr,
    ),
  markForgotten: (campaignId) => statements.change((draft) => change(draft, campaignId, () => ({ is_kept: false }))),
})
