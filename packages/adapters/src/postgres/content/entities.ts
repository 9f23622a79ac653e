import { defineEntity, p } from "@mikro-orm/core"
import { concurrentStep, schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

export const ContentLibrary = defineEntity({
  name: "ContentLibrary",
  tableName: "content_libraries",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().nullable(),
    content_schema: p.json().nullable(),
    created_at: p.datetime(3),
  },
  indexes: [{ properties: ["created_at", "id"] }],
})

const isWritten = "owner_app_user_id is not null"

// The first index has the highest number of a library, the second what lists and schedules read.
export const ContentItem = defineEntity({
  name: "ContentItem",
  tableName: "content_items",
  properties: {
    id: p.uuid().primary(),
    library_id: () => p.manyToOne(ContentLibrary).mapToPk().deleteRule("cascade").updateRule("no action"),
    title: p.text().nullable(),
    body: p.text(),
    media_url: p.text().nullable(),
    category: p.text().nullable(),
    tags: p.json(),
    metadata: p.json(),
    is_premium: p.boolean(),
    is_active: p.boolean(),
    sort_order: p.integer(),
    owner_app_user_id: () => p.manyToOne(User).mapToPk().nullable().deleteRule("set null").updateRule("no action"),
    moderation: p.enum(["shown", "held", "rejected"] as const),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  indexes: [
    { properties: ["library_id", "sort_order"] },
    { name: "content_items_active_index", properties: ["library_id", "sort_order", "id"], where: "is_active" },
    {
      name: "content_items_category_index",
      properties: ["library_id", "category", "sort_order", "id", "moderation", "owner_app_user_id"],
      where: "is_active",
    },
    { name: "content_items_owner_index", properties: ["owner_app_user_id"], where: isWritten },
    { name: "content_items_newest_index", properties: ["created_at", "id"], where: isWritten },
  ],
})

/** Libraries and their items. */
export const content = schemaStep("0026-content", [
  `create table content_libraries (
    id uuid primary key,
    name text not null,
    description text,
    content_schema jsonb,
    created_at timestamptz(3) not null
  )`,
  "create index content_libraries_created_at_id_index on content_libraries (created_at, id)",
  `create table content_items (
    id uuid primary key,
    library_id uuid not null constraint content_items_library_id_foreign references content_libraries on delete cascade,
    title text,
    body text not null,
    media_url text,
    category text,
    tags jsonb not null,
    metadata jsonb not null,
    is_premium boolean not null,
    is_active boolean not null,
    sort_order int not null,
    owner_app_user_id uuid
      constraint content_items_owner_app_user_id_foreign references app_users on delete set null,
    moderation text not null constraint content_items_moderation_check
      check (moderation in ('shown', 'held', 'rejected')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  "create index content_items_library_id_sort_order_index on content_items (library_id, sort_order)",
  "create index content_items_active_index on content_items (library_id, sort_order, id) where is_active",
  `create index content_items_owner_index on content_items (owner_app_user_id) where ${isWritten}`,
  `create index content_items_newest_index on content_items (created_at, id) where ${isWritten}`,
])

/** What users see of a library is counted by this index alone, and a category of it is read by it. */
export const contentItemsByCategory = concurrentStep(
  "0044-content-items-by-category",
  `create index concurrently content_items_category_index on content_items
    (library_id, category, sort_order, id, moderation, owner_app_user_id) where is_active`,
)
