import type { Clock } from "@hearth/core"
import { type Audience, type ClaimedDelivery, type PushDeliveries, PushDelivery } from "@hearth/core/push"
import { Effect, Option } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { rowUuid } from "../memory/ids.ts"
import { canLockRow, insertRow, lockRow, lockRows, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"
import { membershipShape } from "../segments/memory-shapes.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"
import { pushCampaignShape, pushTokenShape } from "./memory.ts"
import { readAudience } from "./memory-audiences.ts"
import { pushStatsShape } from "./memory-stats.ts"

/** The table of deliveries. */
export const pushDeliveryShape = describeTable("push deliveries", PushDelivery, {
  unique: [["campaign_id", "push_token_id"]],
  parents: { campaign_id: "push campaigns", app_user_id: "users" },
})

const gatherUsers = (draft: Draft, segment_id: string | null) => {
  const members =
    segment_id === null
      ? null
      : new Set(select(draft, membershipShape, { segment_id }).map(({ app_user_id }) => app_user_id))
  const found = readAudience(draft, members)
  const users = readUsers(
    draft,
    found.map(({ user }) => user.id),
  )
  const present = new Set(lockRows(draft, userShape, users, "key share").map(({ id }) => id))
  return found.filter(({ user }) => present.has(user.id))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const makeGather =
  (statements: Statements, clock: Clock): PushDeliveries["gather"] =>
  ({ id: campaign_id, segment_id }) =>
    Effect.map(
      statements.query((draft) => gatherUsers(draft, segment_id)),
      (found) =>
        ({
          providers: [...new Set(found.flatMap(({ devices }) => devices.map(({ provider }) => provider)))].toSorted(),
          timezones: [...new Set(found.map(({ user }) => user.timezone))].toSorted(),
          writeDeliveries: (firings, error) =>
            statements.change((draft) => {
              const byZone = new Map(firings.map((firing) => [firing.timezone, firing]))
              const chosen: Array<Omit<PushDelivery, "id">> = []
              const counts = { recipients: 0, skipped: 0, failed: 0 }
              for (const { user, devices } of found) {
                const firing = byZone.get(user.timezone)
                if (firing === undefined) continue
                const { fire_at, is_skipped } = firing
                counts[is_skipped ? "skipped" : "recipients"] += 1
                if (!is_skipped && error !== null) counts.failed += devices.length
                for (const { id: push_token_id, provider } of devices) {
                  const status = is_skipped ? "skipped" : error === null ? "pending" : "failed"
                  chosen.push({
                    ...{ campaign_id, app_user_id: user.id, push_token_id, provider, status },
                    ...{ error: is_skipped ? "TOO_LATE" : error, fire_at, try_at: fire_at, tries: 0, claimed_at: null },
                    ...{ sent_at: null, delivered_at: null, opened_at: null },
                  })
                }
              }
              const now = clock.now()
              const inOrder = chosen.toSorted(
                (a, b) =>
                  a.fire_at.getTime() - b.fire_at.getTime() ||
                  compare(a.app_user_id, b.app_user_id) ||
                  compare(a.push_token_id, b.push_token_id),
              )
              for (const [index, row] of inOrder.entries())
                insertRow(draft, pushDeliveryShape, { id: rowUuid(now, index + 1), ...row })
              insertRow(draft, pushStatsShape, {
                ...{ id: campaign_id, campaign_id, sent: 0, delivered: 0, opened: 0, unknown: 0, ...counts },
                ...{ ended_at: null, is_kept: true },
              })
            }),
        }) satisfies Audience,
    )

/** Those of a campaign that fit and that nobody has locked, in this order, up to a limit, locked. */
const lockSome = (
  draft: Draft,
  campaign_id: string,
  fits: (row: PushDelivery) => boolean,
  order: "id" | "try_at",
  limit: number,
) => {
  const rows = select(draft, pushDeliveryShape, { campaign_id }).filter(
    (row) => fits(row) && canLockRow(draft, pushDeliveryShape, row.id, "no key update"),
  )
  return lockRows(draft, pushDeliveryShape, sorted(pushDeliveryShape, rows, [[order, "asc"]]).slice(0, limit))
}

const change = (draft: Draft, row: PushDelivery, changes: Partial<PushDelivery>) =>
  replaceRow(draft, pushDeliveryShape, row, { ...row, ...changes })

const describeClaim = (
  draft: Draft,
  { id, app_user_id, push_token_id, provider, fire_at, try_at, tries }: PushDelivery,
  claimed_at: Date,
  keys: ReadonlyArray<string>,
): ClaimedDelivery => {
  const user = rowsOf(draft, userShape).get(app_user_id)
  if (user === undefined) throw new Error("A delivery has a user.")
  const device = rowsOf(draft, pushTokenShape).get(push_token_id)
  const isReachable = device?.is_active === true && device.app_user_id === app_user_id && !user.is_disabled
  const properties = Object.entries(user.properties).filter(([key]) => keys.includes(key))
  return {
    ...{ id, app_user_id, push_token_id, provider, fire_at, try_at, tries, claimed_at },
    ...{ token: isReachable ? device.token : null, display_name: user.display_name },
    properties: Object.fromEntries(properties),
  }
}

/** The deliveries of campaigns in memory. */
export const memoryPushDeliveries = (statements: Statements, clock: Clock): PushDeliveries => ({
  ...memoryTable(statements, pushDeliveryShape),
  gather: makeGather(statements, clock),
  claim: (campaignId, { now, limit, providers, after, properties }) =>
    statements.change((draft) => {
      if (rowsOf(draft, pushCampaignShape).get(campaignId)?.status !== "sending") return []
      lockRow(draft, pushCampaignShape, campaignId, "share")
      const isAhead = ({ id, try_at }: PushDelivery) =>
        after === null || try_at > after.try_at || (try_at.getTime() === after.try_at.getTime() && id > after.id)
      const isDue = (row: PushDelivery) =>
        row.status === "pending" && row.try_at <= now && providers.includes(row.provider) && isAhead(row)
      const due = lockSome(draft, campaignId, isDue, "try_at", limit)
      const claimed = due.map((row) => change(draft, row, { status: "claimed", claimed_at: now, tries: row.tries + 1 }))
      return sorted(pushDeliveryShape, claimed, []).map((row) => describeClaim(draft, row, now, properties))
    }),
  finish: (results, claimedAt, now) =>
    statements.change((draft) => {
      const users = readUsers(
        draft,
        results.map(({ app_user_id }) => app_user_id),
      )
      lockRows(draft, userShape, users, "key share")
      const byId = new Map(results.map((result) => [result.id, result]))
      const rows = sorted(
        pushDeliveryShape,
        [...byId.keys()].flatMap((id) => rowsOf(draft, pushDeliveryShape).get(id) ?? []),
        [],
      ).filter(({ status, claimed_at }) => status === "claimed" && claimed_at?.getTime() === claimedAt.getTime())
      return lockRows(draft, pushDeliveryShape, rows).flatMap((row) => {
        const result = byId.get(row.id)
        if (result === undefined) return []
        const { status, error, try_at } = result
        const { id, app_user_id } = change(draft, row, {
          ...{ status, error, try_at: try_at ?? row.try_at, sent_at: status === "sent" ? now : null },
          claimed_at: status === "pending" ? null : row.claimed_at,
        })
        return [{ id, app_user_id, status }]
      })
    }),
  deactivate: (devices, now) =>
    statements.change((draft) => {
      for (const { push_token_id, reason, since } of devices.toSorted((a, b) =>
        a.push_token_id < b.push_token_id ? -1 : 1,
      )) {
        const device = rowsOf(draft, pushTokenShape).get(push_token_id)
        if (device === undefined || !device.is_active || device.registered_at > since) continue
        const gone = { is_active: false, deactivated_at: now, deactivated_reason: reason }
        replaceRow(draft, pushTokenShape, device, { ...device, ...gone })
      }
    }),
  giveUp: (campaignId, claimedUntil, limit) =>
    statements.change((draft) => {
      const isLost = ({ status, claimed_at }: PushDelivery) =>
        status === "claimed" && claimed_at !== null && claimed_at <= claimedUntil
      const lost = lockSome(draft, campaignId, isLost, "id", limit)
      for (const row of lost) change(draft, row, { status: "unknown", error: "PROCESS_LOST" })
      return lost.length
    }),
  settle: (campaignId, status, error, limit) =>
    statements.change((draft) => {
      const pending = lockSome(draft, campaignId, (row) => row.status === "pending", "id", limit)
      for (const row of pending) change(draft, row, { status, error })
      return pending.length
    }),
  waiting: (campaign_id) =>
    statements.query((draft) => {
      const rows = select(draft, pushDeliveryShape, { campaign_id })
      const first = (times: ReadonlyArray<Date | null>) =>
        times.flatMap((time) => time ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
      return {
        try_at: first(rows.filter(({ status }) => status === "pending").map(({ try_at }) => try_at)),
        claimed_at: first(rows.filter(({ status }) => status === "claimed").map(({ claimed_at }) => claimed_at)),
      }
    }),
  receive: (app_user_id, { delivery_id, type }, now) =>
    Effect.map(
      statements.change((draft) => {
        const row = select(draft, pushDeliveryShape, { id: delivery_id, app_user_id })[0]
        if (row === undefined || !["claimed", "sent", "unknown"].includes(row.status)) return null
        const { id, campaign_id, delivered_at, opened_at } = change(draft, row, {
          delivered_at: row.delivered_at ?? now,
          opened_at: row.opened_at ?? (type === "opened" ? now : null),
        })
        return {
          ...{ id, campaign_id, delivered_at, opened_at, is_new_delivered: row.delivered_at === null },
          is_new_opened: type === "opened" && row.opened_at === null,
        }
      }),
      Option.fromNullishOr,
    ),
  forget: (campaign_id, limit) =>
    statements.change((draft) => {
      const rows = sorted(pushDeliveryShape, select(draft, pushDeliveryShape, { campaign_id }), []).slice(0, limit)
      for (const row of rows) removeRow(draft, pushDeliveryShape, row)
      return rows.length
    }),
})
