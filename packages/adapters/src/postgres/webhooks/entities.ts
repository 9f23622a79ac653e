import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"

/** What is kept for a time only [H2.3]. */
const passing = "status = 'ignored' or event_type = 'TEST' or provider = 'paywall'"

/** The webhooks that came in. */
export const InboxEntry = defineEntity({
  name: "InboxEntry",
  tableName: "webhook_inbox",
  properties: {
    id: p.uuid().primary(),
    provider: p.enum(["subscription", "paywall"] as const),
    provider_event_id: p.text().nullable(),
    event_type: p.text().nullable(),
    provider_user_id: p.text().nullable(),
    status: p.enum(["received", "processed", "unresolved", "ignored", "failed"] as const),
    error: p.text().nullable(),
    received_at: p.datetime(3),
    processed_at: p.datetime(3).nullable(),
    payload: p.json().nullable(),
    body_text: p.text().nullable(),
    body_key: p.text().nullable(),
    event_at: p.datetime(3),
  },
  uniques: [{ properties: ["provider", "provider_event_id"] }],
  indexes: [
    { properties: ["received_at", "id"] },
    { properties: ["provider", "received_at", "id"] },
    { properties: ["status", "received_at", "id"] },
    { properties: ["provider", "body_key", "received_at"], where: "body_key is not null" },
    {
      name: "webhook_inbox_without_id_index",
      properties: ["provider", "received_at", "id"],
      where: "provider_event_id is null",
    },
    { name: "webhook_inbox_passing_index", properties: ["received_at", "id"], where: passing },
  ],
})

const ofEntry = () => p.manyToOne(InboxEntry).mapToPk().deleteRule("cascade").updateRule("no action")

/**
 * The users whom an entry concerns, in their order. Without a foreign key: of a user who is removed, what is left here says
 * which entries are still to be removed or cut, in pieces.
 */
export const InboxUser = defineEntity({
  name: "InboxUser",
  tableName: "webhook_inbox_users",
  properties: {
    inbox_id: () => ofEntry().primary(),
    app_user_id: p.uuid().primary(),
    position: p.integer(),
  },
  indexes: [{ properties: ["app_user_id", "inbox_id"] }],
})

/** The provider's ids by which unresolved entries are found again. */
export const InboxWait = defineEntity({
  name: "InboxWait",
  tableName: "webhook_inbox_waits",
  properties: {
    inbox_id: () => ofEntry().primary(),
    provider_user_id: p.text().primary(),
  },
  indexes: [{ properties: ["provider_user_id", "inbox_id"] }],
})

/** The tables of a project. */
export const webhookInbox = schemaStep("0020-webhook-inbox", [
  `create table webhook_inbox (
    id uuid primary key,
    provider text not null constraint webhook_inbox_provider_check check (provider in ('subscription', 'paywall')),
    provider_event_id text,
    event_type text,
    provider_user_id text,
    status text not null constraint webhook_inbox_status_check
      check (status in ('received', 'processed', 'unresolved', 'ignored', 'failed')),
    error text,
    received_at timestamptz(3) not null,
    processed_at timestamptz(3),
    payload jsonb,
    body_text text,
    body_key text,
    event_at timestamptz(3) not null,
    constraint webhook_inbox_provider_provider_event_id_unique unique (provider, provider_event_id)
  )`,
  "create index webhook_inbox_received_at_id_index on webhook_inbox (received_at, id)",
  "create index webhook_inbox_provider_received_at_id_index on webhook_inbox (provider, received_at, id)",
  "create index webhook_inbox_status_received_at_id_index on webhook_inbox (status, received_at, id)",
  `create index webhook_inbox_provider_body_key_received_at_index on webhook_inbox (provider, body_key, received_at)
     where body_key is not null`,
  `create index webhook_inbox_without_id_index on webhook_inbox (provider, received_at, id)
     where provider_event_id is null`,
  `create index webhook_inbox_passing_index on webhook_inbox (received_at, id) where ${passing}`,
  `create table webhook_inbox_users (
    inbox_id uuid not null
      constraint webhook_inbox_users_inbox_id_foreign references webhook_inbox on delete cascade,
    app_user_id uuid not null,
    position int not null,
    primary key (inbox_id, app_user_id)
  )`,
  "create index webhook_inbox_users_app_user_id_inbox_id_index on webhook_inbox_users (app_user_id, inbox_id)",
  `create table webhook_inbox_waits (
    inbox_id uuid not null
      constraint webhook_inbox_waits_inbox_id_foreign references webhook_inbox on delete cascade,
    provider_user_id text not null,
    primary key (inbox_id, provider_user_id)
  )`,
  `create index webhook_inbox_waits_provider_user_id_inbox_id_index
     on webhook_inbox_waits (provider_user_id, inbox_id)`,
])
