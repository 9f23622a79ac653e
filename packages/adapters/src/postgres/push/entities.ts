import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/**
 * The unique key of devices is a hash of the token, because an index has no room for text of any length. The backslashes are for
 * the cast, which reads them as escapes.
 */
export const tokenKeySql = (token: string): string => `sha256(replace(${token}, '\\', '\\\\')::bytea)`

const tokenIndex = `create unique index "push_tokens_token_unique" on "push_tokens" (${tokenKeySql('"token"')})`

export const PushToken = defineEntity({
  name: "PushToken",
  tableName: "push_tokens",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").index(),
    platform: p.enum(["ios", "android", "web"] as const),
    provider: p.enum(["push_a", "push_b"] as const),
    token: p.text(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
    registered_at: p.datetime(3).defaultRaw("now()"),
    deactivated_at: p.datetime(3).nullable(),
    deactivated_reason: p.text().nullable(),
  },
  indexes: [{ name: "push_tokens_token_unique", expression: tokenIndex }],
})

export const PushCampaign = defineEntity({
  name: "PushCampaign",
  tableName: "push_campaigns",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    title: p.text(),
    body: p.text(),
    data: p.json(),
    options: p.json(),
    // Not a reference: it stays when the segment is removed.
    segment_id: p.uuid().nullable(),
    delivery_mode: p.enum(["absolute", "local_time"] as const),
    local_date: p.date().nullable(),
    local_time: p.text().nullable(),
    status: p.enum(["draft", "scheduled", "sending", "sent", "cancelled", "failed"] as const),
    scheduled_at: p.datetime(3).nullable(),
    started_at: p.datetime(3).nullable(),
    sent_at: p.datetime(3).nullable(),
    error: p.text().nullable(),
    // Not a reference either: nothing of a campaign goes when its user does.
    scheduled_for: p.uuid().nullable(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  indexes: [
    { properties: ["created_at", "id"] },
    {
      name: "push_campaigns_open_index",
      properties: ["scheduled_at"],
      where: "status in ('scheduled', 'sending')",
    },
    { name: "push_campaigns_schedules_index", properties: ["updated_at"], where: "scheduled_for is not null" },
  ],
})

/** Campaigns, and what devices have that are registered by their users. */
export const pushCampaigns = schemaStep("0021-push-campaigns", [
  `create table push_campaigns (
    id uuid primary key,
    name text not null,
    title text not null,
    body text not null,
    data jsonb not null,
    options jsonb not null,
    segment_id uuid,
    delivery_mode text not null
      constraint push_campaigns_delivery_mode_check check (delivery_mode in ('absolute', 'local_time')),
    local_date date,
    local_time text,
    status text not null constraint push_campaigns_status_check
      check (status in ('draft', 'scheduled', 'sending', 'sent', 'cancelled', 'failed')),
    scheduled_at timestamptz(3),
    started_at timestamptz(3),
    sent_at timestamptz(3),
    error text,
    scheduled_for uuid,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  "create index push_campaigns_created_at_id_index on push_campaigns (created_at, id)",
  `create index push_campaigns_open_index on push_campaigns (scheduled_at)
   where status in ('scheduled', 'sending')`,
  "create index push_campaigns_schedules_index on push_campaigns (updated_at) where scheduled_for is not null",
  `alter table push_tokens
    add column registered_at timestamptz(3) not null default now(),
    add column deactivated_at timestamptz(3),
    add column deactivated_reason text,
    drop constraint push_tokens_token_unique`,
  tokenIndex,
  `alter table segments add column campaign_id uuid
    constraint segments_campaign_id_unique unique
    constraint segments_campaign_id_foreign references push_campaigns on delete cascade`,
])
