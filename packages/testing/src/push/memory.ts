import { PushCampaign, type PushCampaigns, PushToken, type PushTokens } from "@hearth/core/push"
import { Effect, Option } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { canLockRow, insertRow, keepRow, lockRows, ownerOfKey, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"
import { segmentShape } from "../segments/memory-shapes.ts"

/** The table of the devices of users. */
export const pushTokenShape = describeTable("push tokens", PushToken, {
  unique: [["token"]],
  hashed: [["token"]],
  parents: { app_user_id: "users" },
})

/** The table of campaigns. */
export const pushCampaignShape = describeTable("push campaigns", PushCampaign)

const campaigns = (draft: Draft) => [...rowsOf(draft, pushCampaignShape).values()]

const readSpent = (draft: Draft) =>
  sorted(
    pushCampaignShape,
    campaigns(draft).filter(
      ({ scheduled_for, status }) => scheduled_for !== null && ["sent", "cancelled", "failed"].includes(status),
    ),
    [["updated_at", "asc"]],
  )

/** Campaigns in memory. */
export const memoryPushCampaigns = (statements: Statements): PushCampaigns => ({
  ...memoryTable(statements, pushCampaignShape),
  findOpen: (until, limit) =>
    statements.query((draft) => {
      const open = campaigns(draft).filter(
        ({ status, scheduled_at }) =>
          status === "sending" || (status === "scheduled" && scheduled_at !== null && scheduled_at <= until),
      )
      const [now, later] = [open.filter((one) => one.scheduled_at === null), open.filter((one) => one.scheduled_at)]
      return [
        ...sorted(pushCampaignShape, now, []),
        ...sorted(pushCampaignShape, later, [["scheduled_at", "asc"]]),
      ].slice(0, limit)
    }),
  nextScheduledAt: (after) =>
    statements.query((draft) => {
      const waiting = select(draft, pushCampaignShape, { status: "scheduled" })
      const ahead = waiting.filter(({ scheduled_at }) => scheduled_at !== null && scheduled_at > after)
      return sorted(pushCampaignShape, ahead, [["scheduled_at", "asc"]])[0]?.scheduled_at ?? null
    }),
  forgetSchedules: (before, limit) =>
    statements.change((draft) => {
      const spent = readSpent(draft).filter(
        ({ id, updated_at }) => updated_at < before && canLockRow(draft, pushCampaignShape, id, "no key update"),
      )
      const locked = lockRows(draft, pushCampaignShape, spent.slice(0, limit))
      for (const campaign of locked) {
        for (const segment of select(draft, segmentShape, { campaign_id: campaign.id }))
          removeRow(draft, segmentShape, segment)
        replaceRow(draft, pushCampaignShape, campaign, { ...campaign, scheduled_for: null })
      }
      return locked.length
    }),
  oldestSchedule: () => statements.query((draft) => readSpent(draft)[0]?.updated_at ?? null),
})

const readActive = (draft: Draft, app_user_id: string) =>
  sorted(pushTokenShape, select(draft, pushTokenShape, { app_user_id, is_active: true }), [
    ["registered_at", "desc"],
    ["id", "desc"],
  ])

const deactivate = (draft: Draft, device: PushToken, deactivated_at: Date, deactivated_reason: string) =>
  replaceRow(draft, pushTokenShape, device, { ...device, is_active: false, deactivated_at, deactivated_reason })

/** The devices of users in memory. */
export const memoryPushTokens = (statements: Statements): PushTokens => ({
  ...memoryTable(statements, pushTokenShape),
  lockForUser: (userId, token) =>
    statements.query((draft) => {
      const wanted = [...readActive(draft, userId), ...select(draft, pushTokenShape, { token })]
      const byId = new Map(wanted.map((row) => [row.id, row]))
      lockRows(draft, pushTokenShape, sorted(pushTokenShape, [...byId.values()], []))
    }),
  register: (device) =>
    statements.change((draft) => {
      const row = keepRow(pushTokenShape, device)
      const owner = ownerOfKey(draft, pushTokenShape, ["token"], row)
      const present = owner === undefined ? undefined : rowsOf(draft, pushTokenShape).get(owner)
      if (present === undefined) return insertRow(draft, pushTokenShape, row)
      const { id, created_at } = present
      return replaceRow(draft, pushTokenShape, present, { ...row, id, created_at })
    }),
  limitActive: ({ id, app_user_id }, keep, at, reason) =>
    statements.change((draft) => {
      const others = readActive(draft, app_user_id).filter((device) => device.id !== id)
      for (const device of others.slice(keep - 1)) deactivate(draft, device, at, reason)
    }),
  deactivateAll: (userId, at, reason) =>
    statements.change((draft) => {
      for (const device of readActive(draft, userId)) deactivate(draft, device, at, reason)
    }),
  forget: (app_user_id, token) =>
    statements.change((draft) => {
      for (const device of select(draft, pushTokenShape, { token, app_user_id }))
        removeRow(draft, pushTokenShape, device)
    }),
  latestActive: (userId) =>
    Effect.map(
      statements.query((draft) => readActive(draft, userId)[0]),
      Option.fromUndefinedOr,
    ),
})
