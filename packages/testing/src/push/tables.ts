import type { TenantDb } from "@hearth/core"
import type { PushCampaign, PushDelivery, PushToken } from "@hearth/core/push"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  incompressibleText,
  instantsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aPushCampaign, aPushDelivery, aPushToken } from "./builders.ts"

/** The table of the devices of users. */
export const pushTokens: TableCase<TenantDb, PushToken> = {
  name: "push tokens",
  table: (db) => db.pushTokens,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aPushToken({ ...given, app_user_id: given.app_user_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    {
      ...{ platform: "android", provider: "push_b", is_active: false, created_at: awkwardInstant },
      ...{ registered_at: earlyInstant, deactivated_at: awkwardInstant, deactivated_reason: awkwardText },
    },
    { token: awkwardText, platform: "web", provider: "push_b", created_at: earlyInstant },
    { token: `\\x41 \\ \\\\ \\101 ${incompressibleText(4_000)}` },
  ],
  unique: [["token"]],
  hashed: ["token"],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

/** The table of campaigns. */
export const pushCampaigns: TableCase<TenantDb, PushCampaign> = {
  name: "push campaigns",
  table: (db) => db.pushCampaigns,
  row: (_, given) => Effect.sync(() => aPushCampaign(given)),
  samples: [
    {
      ...{ name: awkwardText, title: awkwardText, body: awkwardText, data: awkwardJson, options: awkwardJson },
      ...{ segment_id: anId(), delivery_mode: "local_time", local_date: "9999-12-31", local_time: awkwardText },
      ...{ status: "scheduled", scheduled_at: awkwardInstant, started_at: earlyInstant, sent_at: awkwardInstant },
      ...{ error: awkwardText, scheduled_for: anId(), created_at: awkwardInstant, updated_at: earlyInstant },
    },
    { status: "sending", local_date: "0001-01-01" },
    { status: "cancelled", data: {}, options: {} },
  ],
  unique: [],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "scheduled_at", ascending: instantsInOrder },
}

const writeCampaign = Effect.fnUntraced(function* (db: TenantDb) {
  const campaign = aPushCampaign()
  yield* Effect.orDie(db.pushCampaigns.insert(campaign))
  return campaign.id
})

/** The table of deliveries. */
export const pushDeliveries: TableCase<TenantDb, PushDelivery> = {
  name: "push deliveries",
  table: (db) => db.pushDeliveries,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const { app_user_id = yield* writeUser(db), campaign_id = yield* writeCampaign(db) } = given
    return aPushDelivery({ ...given, app_user_id, campaign_id })
  }),
  samples: [
    {
      ...{ provider: "push_b", status: "sent", error: awkwardText, tries: 2_147_483_647, fire_at: awkwardInstant },
      ...{ try_at: earlyInstant, claimed_at: awkwardInstant, sent_at: earlyInstant, delivered_at: awkwardInstant },
      ...{ opened_at: earlyInstant },
    },
    { status: "claimed" },
    { status: "unknown", error: "" },
  ],
  unique: [["campaign_id", "push_token_id"]],
  sorting: { column: "try_at", ascending: instantsInOrder },
  nullable: { column: "sent_at", ascending: instantsInOrder },
}
