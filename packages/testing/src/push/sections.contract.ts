import type { TenantDb } from "@hearth/core"
import { pushDeliveriesSection, pushTokensSection } from "@hearth/core/push"
import { Effect } from "effect"
import { awkwardInstant, awkwardText } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aPushCampaign, aPushDelivery, aPushToken } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const rows = [aPushToken({ ...mine, token: `${awkwardText} ${userId}` }), aPushToken({ ...mine, is_active: false })]
  yield* Effect.forEach(rows, db.pushTokens.insert)
  return { userId, rows }
})

/** What a project promises about the devices in the file about a user. */
export const pushTokensSectionContract = sectionContract(pushTokensSection, write)

const writeDeliveries = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const campaign = aPushCampaign()
  yield* db.pushCampaigns.insert(campaign)
  const mine = { app_user_id: userId, campaign_id: campaign.id }
  const times = { sent_at: awkwardInstant, delivered_at: awkwardInstant, opened_at: awkwardInstant }
  const rows = [aPushDelivery({ ...mine, ...times, error: awkwardText }), aPushDelivery({ ...mine, status: "claimed" })]
  yield* Effect.forEach(rows, db.pushDeliveries.insert)
  return { userId, rows }
})

/** What a project promises about deliveries in the file about a user. */
export const pushDeliveriesSectionContract = sectionContract(pushDeliveriesSection, writeDeliveries)
