import { defineEntity, p } from "@mikro-orm/core"
import { concurrentStep, contractingStep, schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"
import { PushCampaign } from "./entities.ts"

export const PushDelivery = defineEntity({
  name: "PushDelivery",
  tableName: "push_deliveries",
  properties: {
    id: p.uuid().primary(),
    campaign_id: () => p.manyToOne(PushCampaign).mapToPk().deleteRule("cascade").updateRule("no action"),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action").index(),
    // Not a reference: it stays when the device is forgotten.
    push_token_id: p.uuid(),
    provider: p.enum(["push_a", "push_b"] as const),
    status: p.enum(["pending", "claimed", "sent", "failed", "skipped", "unknown"] as const),
    error: p.text().nullable(),
    fire_at: p.datetime(3),
    try_at: p.datetime(3),
    tries: p.integer().check("tries >= 0"),
    claimed_at: p.datetime(3).nullable(),
    sent_at: p.datetime(3).nullable(),
    delivered_at: p.datetime(3).nullable(),
    opened_at: p.datetime(3).nullable(),
  },
  uniques: [{ properties: ["campaign_id", "push_token_id"] }],
  indexes: [
    { name: "push_deliveries_due_index", properties: ["campaign_id", "try_at", "id"] },
    { properties: ["campaign_id", "id"] },
  ],
})

const count = (name: string) => p.integer().check(`${name} >= 0`)

export const PushCampaignStats = defineEntity({
  name: "PushCampaignStats",
  tableName: "push_campaign_stats",
  properties: {
    campaign_id: () => p.manyToOne(PushCampaign).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    sent: count("sent"),
    delivered: count("delivered"),
    opened: count("opened"),
    failed: count("failed"),
    recipients: count("recipients"),
    skipped: count("skipped"),
    unknown: count("unknown"),
    ended_at: p.datetime(3).nullable(),
    is_kept: p.boolean(),
  },
  indexes: [
    { name: "push_campaign_stats_open_index", properties: ["campaign_id"], where: "ended_at is null" },
    { name: "push_campaign_stats_kept_index", properties: ["ended_at", "campaign_id"], where: "is_kept" },
  ],
})

const countColumn = (name: string) =>
  `${name} int not null constraint push_campaign_stats_${name}_check check (${name} >= 0)`

/** Deliveries of campaigns, and what became of them. */
export const pushDeliveries = schemaStep("0025-push-deliveries", [
  `create table push_deliveries (
    id uuid primary key,
    campaign_id uuid not null
      constraint push_deliveries_campaign_id_foreign references push_campaigns on delete cascade,
    app_user_id uuid not null constraint push_deliveries_app_user_id_foreign references app_users on delete cascade,
    push_token_id uuid not null,
    provider text not null constraint push_deliveries_provider_check check (provider in ('push_a', 'push_b')),
    status text not null constraint push_deliveries_status_check
      check (status in ('pending', 'claimed', 'sent', 'failed', 'skipped', 'unknown')),
    error text,
    fire_at timestamptz(3) not null,
    try_at timestamptz(3) not null,
    tries int not null constraint push_deliveries_tries_check check (tries >= 0),
    claimed_at timestamptz(3),
    sent_at timestamptz(3),
    delivered_at timestamptz(3),
    opened_at timestamptz(3),
    constraint push_deliveries_campaign_id_push_token_id_unique unique (campaign_id, push_token_id)
  )`,
  "create index push_deliveries_app_user_id_index on push_deliveries (app_user_id)",
  `create index push_deliveries_open_index on push_deliveries (campaign_id, status, try_at, id)
    where status in ('pending', 'claimed')`,
  `create table push_campaign_stats (
    campaign_id uuid primary key
      constraint push_campaign_stats_campaign_id_foreign references push_campaigns on delete cascade,
    ${["sent", "delivered", "opened", "failed", "recipients", "skipped", "unknown"].map(countColumn).join(",\n    ")},
    ended_at timestamptz(3),
    is_kept boolean not null
  )`,
  "create index push_campaign_stats_open_index on push_campaign_stats (campaign_id) where ended_at is null",
  "create index push_campaign_stats_kept_index on push_campaign_stats (ended_at, campaign_id) where is_kept",
])

/**
 * A claim and its result are written in the page where the delivery is, and in no index: there is room for a second version, and no
 * index has the status, its condition included. Earlier releases find deliveries by the index that comes instead.
 */
export const pushDeliveriesInPlace = contractingStep("0034-push-deliveries-in-place", "0.1.0", [
  "alter table push_deliveries set (fillfactor = 50)",
  "drop index push_deliveries_open_index",
])

/** What of a campaign is due is found by this index, in the order in which it is claimed. */
export const pushDeliveriesDue = concurrentStep(
  "0038-push-deliveries-due",
  "create index concurrently push_deliveries_due_index on push_deliveries (campaign_id, try_at, id)",
)

/** The list of the deliveries of a campaign is read in this order; it is also how they are given up and forgotten. */
export const pushDeliveriesInOrder = concurrentStep(
  "0039-push-deliveries-in-order",
  "create index concurrently push_deliveries_campaign_id_id_index on push_deliveries (campaign_id, id)",
)
