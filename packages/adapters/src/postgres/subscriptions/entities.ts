import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { InboxEntry } from "../webhooks/entities.ts"

/** The provider events of the inbox as the fold reads them. */
export const SubscriptionEvent = defineEntity({
  name: "SubscriptionEvent",
  tableName: "subscription_events",
  properties: {
    inbox_id: () => p.oneToOne(InboxEntry).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    event: p.json(),
    raw: p.json().nullable(),
  },
})

/** By what events are connected: users, those whom only the provider knows, subscriptions. */
export const SubscriptionEventKey = defineEntity({
  name: "SubscriptionEventKey",
  tableName: "subscription_event_keys",
  properties: {
    inbox_id: () => p.manyToOne(SubscriptionEvent).mapToPk().deleteRule("cascade").updateRule("no action").primary(),
    key: p.text().primary(),
  },
  indexes: [{ properties: ["key", "inbox_id"] }],
})

/** The tables of a project. */
export const subscriptionEvents = schemaStep("0024-subscription-events", [
  `create table subscription_events (
    inbox_id uuid primary key
      constraint subscription_events_inbox_id_foreign references webhook_inbox on delete cascade,
    event jsonb not null,
    raw jsonb
  )`,
  `create table subscription_event_keys (
    inbox_id uuid not null
      constraint subscription_event_keys_inbox_id_foreign references subscription_events on delete cascade,
    key text not null,
    primary key (inbox_id, key)
  )`,
  "create index subscription_event_keys_key_inbox_id_index on subscription_event_keys (key, inbox_id)",
])
