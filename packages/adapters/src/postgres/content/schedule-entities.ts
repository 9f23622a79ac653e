import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { ContentItem, ContentLibrary } from "./entities.ts"

export const ContentSchedule = defineEntity({
  name: "ContentSchedule",
  tableName: "content_schedules",
  properties: {
    id: p.uuid().primary(),
    library_id: () => p.manyToOne(ContentLibrary).mapToPk().deleteRule("cascade").updateRule("no action").index(),
    name: p.text(),
    schedule_type: p.enum(["daily_rotation", "weekly", "random", "sequential"] as const),
    config: p.json(),
    is_active: p.boolean(),
    config_key: p.text().unique(),
    looks_from: p.datetime(3),
    last_tick_at: p.datetime(3).nullable(),
    // A place, not a reference: it stays when the item is removed.
    last_sort_order: p.integer().nullable(),
    last_item_id: p.uuid().nullable(),
    round: p.integer(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  indexes: [{ properties: ["created_at", "id"] }],
})

// The first index has what a round has shown, the second what users see of a day.
export const ContentDelivery = defineEntity({
  name: "ContentDelivery",
  tableName: "content_deliveries",
  properties: {
    id: p.uuid().primary(),
    schedule_id: () => p.manyToOne(ContentSchedule).mapToPk().deleteRule("cascade").updateRule("no action"),
    item_id: () => p.manyToOne(ContentItem).mapToPk().deleteRule("cascade").updateRule("no action").index(),
    tick_at: p.datetime(3).nullable(),
    round: p.integer(),
    delivered_at: p.datetime(3),
  },
  uniques: [{ properties: ["schedule_id", "tick_at"] }],
  indexes: [{ properties: ["schedule_id", "round", "item_id"] }, { properties: ["delivered_at", "id"] }],
})

/** Schedules and what they have delivered. */
export const contentSchedules = schemaStep("0027-content-schedules", [
  `create table content_schedules (
    id uuid primary key,
    library_id uuid not null
      constraint content_schedules_library_id_foreign references content_libraries on delete cascade,
    name text not null,
    schedule_type text not null constraint content_schedules_schedule_type_check
      check (schedule_type in ('daily_rotation', 'weekly', 'random', 'sequential')),
    config jsonb not null,
    is_active boolean not null,
    config_key text not null constraint content_schedules_config_key_unique unique,
    looks_from timestamptz(3) not null,
    last_tick_at timestamptz(3),
    last_sort_order int,
    last_item_id uuid,
    round int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  "create index content_schedules_library_id_index on content_schedules (library_id)",
  "create index content_schedules_created_at_id_index on content_schedules (created_at, id)",
  `create table content_deliveries (
    id uuid primary key,
    schedule_id uuid not null
      constraint content_deliveries_schedule_id_foreign references content_schedules on delete cascade,
    item_id uuid not null constraint content_deliveries_item_id_foreign references content_items on delete cascade,
    tick_at timestamptz(3),
    round int not null,
    delivered_at timestamptz(3) not null,
    constraint content_deliveries_schedule_id_tick_at_unique unique (schedule_id, tick_at)
  )`,
  "create index content_deliveries_item_id_index on content_deliveries (item_id)",
  "create index content_deliveries_schedule_id_round_item_id_index on content_deliveries (schedule_id, round, item_id)",
  "create index content_deliveries_delivered_at_id_index on content_deliveries (delivered_at, id)",
])
