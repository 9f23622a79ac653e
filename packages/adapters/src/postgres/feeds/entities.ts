import { defineEntity, p } from "@mikro-orm/core"
import { concurrentStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

export const FeedRule = defineEntity({
  name: "FeedRule",
  tableName: "feed_rules",
  properties: {
    id: p.uuid().primary(),
    source_event: p.text(),
    action: p.text(),
    target_type: p.text().nullable(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
  },
})

/** Its rule and its groups are no foreign keys: items outlive the one, and are hidden without the other. */
export const FeedItem = defineEntity({
  name: "FeedItem",
  tableName: "feed_items",
  properties: {
    id: p.uuid().primary(),
    event_id: p.uuid(),
    rule_id: p.uuid(),
    actor_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action"),
    action: p.text(),
    target_id: p.text().nullable(),
    group_id: p.uuid().nullable(),
    target_group_id: p.uuid().nullable(),
    created_at: p.datetime(3),
  },
  uniques: [{ properties: ["event_id", "rule_id"] }],
  indexes: [
    { properties: ["created_at", "id"] },
    { properties: ["actor_id", "created_at", "id"] },
    { properties: ["action", "created_at", "id"] },
    {
      name: "feed_items_target_group_index",
      properties: ["target_group_id", "created_at", "id"],
      where: "target_group_id is not null",
    },
  ],
})

/** The statements that make the tables of feeds. */
export const feedTables = [
  `create table feed_rules (
    id uuid primary key,
    source_event text not null,
    action text not null,
    target_type text,
    is_active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create table feed_items (
    id uuid primary key,
    event_id uuid not null,
    rule_id uuid not null,
    actor_id uuid not null constraint feed_items_actor_id_foreign references app_users on delete cascade,
    action text not null,
    target_id text,
    group_id uuid,
    target_group_id uuid,
    created_at timestamptz(3) not null,
    constraint feed_items_event_id_rule_id_unique unique (event_id, rule_id)
  )`,
  "create index feed_items_created_at_id_index on feed_items (created_at, id)",
  "create index feed_items_actor_id_created_at_id_index on feed_items (actor_id, created_at, id)",
  `create index feed_items_target_group_index on feed_items (target_group_id, created_at, id)
    where target_group_id is not null`,
]

/** What developers narrow the list of items to. */
export const feedItemsOfActions = concurrentStep(
  "0040-feed-items-of-actions",
  "create index concurrently feed_items_action_created_at_id_index on feed_items (action, created_at, id)",
)
