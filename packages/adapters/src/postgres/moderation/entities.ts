import { defineEntity, p } from "@mikro-orm/core"
import { concurrentStep, schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

const contentTypes = ["content_item", "message", "review", "group", "user"] as const

export const ModerationRule = defineEntity({
  name: "ModerationRule",
  tableName: "moderation_rules",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    rule_type: p.enum(["keyword", "regex", "link"] as const),
    config: p.json(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
    revision: p.integer().check("revision >= 0"),
  },
})

/** What waits for moderators, and what they have decided. */
export const ModerationQueueItem = defineEntity({
  name: "ModerationQueueItem",
  tableName: "moderation_queue",
  properties: {
    id: p.uuid().primary(),
    reason: p.enum(["keyword", "regex", "link", "reported"] as const),
    status: p.enum(["pending", "approved", "rejected", "escalated"] as const),
    created_at: p.datetime(3),
    moderator_id: p.text().nullable(),
    resolved_at: p.datetime(3).nullable(),
    content_type: p.enum(contentTypes),
    content_id: p.uuid(),
    // Not references, nor is the rule: an item is written after its content is locked, when no user or rule may be locked any more.
    app_user_id: p.uuid().nullable(),
    rule_id: p.uuid().nullable(),
    excerpt: p.text(),
    text_digest: p.text().nullable(),
    is_open: p.boolean().nullable(),
  },
  uniques: [{ properties: ["content_type", "content_id", "is_open"] }],
  indexes: [
    { properties: ["status", "created_at", "id"] },
    { name: "moderation_queue_author_index", properties: ["app_user_id", "status", "created_at", "id"] },
    {
      name: "moderation_queue_resolved_at_index",
      properties: ["resolved_at", "id"],
      where: "resolved_at is not null",
    },
  ],
})

export const ModerationReport = defineEntity({
  name: "ModerationReport",
  tableName: "moderation_reports",
  properties: {
    id: p.uuid().primary(),
    item_id: () => p.manyToOne(ModerationQueueItem).mapToPk().deleteRule("cascade").updateRule("no action"),
    content_type: p.enum(contentTypes),
    content_id: p.uuid(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action"),
    text_digest: p.text(),
    reason: p.text(),
    created_at: p.datetime(3),
  },
  uniques: [{ properties: ["item_id", "app_user_id", "text_digest"] }],
  indexes: [{ properties: ["item_id", "created_at", "id"] }, { properties: ["app_user_id"] }],
})

export const TrustLevel = defineEntity({
  name: "TrustLevel",
  tableName: "trust_levels",
  properties: {
    app_user_id: () => p.manyToOne(User).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    trust_level: p.text(),
    auto_approve: p.boolean(),
    updated_at: p.datetime(3),
  },
  indexes: [{ properties: ["updated_at", "app_user_id"] }],
})

const ofContent = (table: string) =>
  `content_type text not null constraint ${table}_content_type_check
      check (content_type in (${contentTypes.map((type) => `'${type}'`).join(", ")})),
    content_id uuid not null`

/** The tables of moderation, and what is held of users. */
export const moderation = schemaStep("0032-moderation", [
  `create table moderation_rules (
    id uuid primary key,
    name text not null,
    rule_type text not null
      constraint moderation_rules_rule_type_check check (rule_type in ('keyword', 'regex', 'link')),
    config jsonb not null,
    is_active boolean not null,
    created_at timestamptz(3) not null,
    revision int not null constraint moderation_rules_revision_check check (revision >= 0)
  )`,
  `create table moderation_queue (
    id uuid primary key,
    reason text not null
      constraint moderation_queue_reason_check check (reason in ('keyword', 'regex', 'link', 'reported')),
    status text not null
      constraint moderation_queue_status_check check (status in ('pending', 'approved', 'rejected', 'escalated')),
    created_at timestamptz(3) not null,
    moderator_id text,
    resolved_at timestamptz(3),
    ${ofContent("moderation_queue")},
    app_user_id uuid,
    rule_id uuid,
    excerpt text not null,
    text_digest text,
    is_open boolean,
    constraint moderation_queue_content_type_content_id_is_open_unique unique (content_type, content_id, is_open)
  )`,
  "create index moderation_queue_status_created_at_id_index on moderation_queue (status, created_at, id)",
  `create index moderation_queue_resolved_at_index on moderation_queue (resolved_at, id)
    where resolved_at is not null`,
  `create table moderation_reports (
    id uuid primary key,
    item_id uuid not null
      constraint moderation_reports_item_id_foreign references moderation_queue on delete cascade,
    ${ofContent("moderation_reports")},
    app_user_id uuid not null
      constraint moderation_reports_app_user_id_foreign references app_users on delete cascade,
    text_digest text not null,
    reason text not null,
    created_at timestamptz(3) not null,
    constraint moderation_reports_item_id_app_user_id_text_digest_unique unique (item_id, app_user_id, text_digest)
  )`,
  "create index moderation_reports_item_id_created_at_id_index on moderation_reports (item_id, created_at, id)",
  "create index moderation_reports_app_user_id_index on moderation_reports (app_user_id)",
  `create table trust_levels (
    app_user_id uuid primary key
      constraint trust_levels_app_user_id_foreign references app_users on delete cascade,
    trust_level text not null,
    auto_approve boolean not null,
    updated_at timestamptz(3) not null
  )`,
  "create index trust_levels_updated_at_app_user_id_index on trust_levels (updated_at, app_user_id)",
  "alter table app_users add column held_profile jsonb",
])

/** What a user has made is listed by this index, however much there is of others. */
export const moderationQueueByAuthor = concurrentStep(
  "0041-moderation-queue-by-author",
  `create index concurrently moderation_queue_author_index on moderation_queue (app_user_id, status, created_at, id)`,
)
