import type { TenantDb } from "@hearth/core"
import type { ModerationRuleRow, QueueItemRow, ReportRow } from "@hearth/core/moderation"
import { Effect } from "effect"
import { anId, builtAt, makeId, nextNumber } from "../builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"

/** A rule that flags one word. */
export const aModerationRule = (given: Partial<ModerationRuleRow> = {}): ModerationRuleRow => ({
  id: makeId(nextNumber()),
  name: "A rule",
  rule_type: "keyword",
  config: { keywords: ["spam"] },
  is_active: true,
  created_at: new Date(builtAt),
  revision: 0,
  ...given,
})

/** An open item of a message. */
export const aQueueItem = (given: Partial<QueueItemRow> = {}): QueueItemRow => ({
  id: makeId(nextNumber()),
  reason: "keyword",
  status: "pending",
  created_at: new Date(builtAt),
  moderator_id: null,
  resolved_at: null,
  content_type: "message",
  content_id: anId(),
  app_user_id: null,
  rule_id: null,
  excerpt: "spam",
  text_digest: null,
  is_open: true,
  ...given,
})

/** The table of rules. */
export const moderationRules: TableCase<TenantDb, ModerationRuleRow> = {
  name: "moderation rules",
  table: (db) => db.moderationRules,
  row: (_, given) => Effect.sync(() => aModerationRule(given)),
  samples: [
    { name: awkwardText, config: awkwardJson, is_active: false, created_at: awkwardInstant, revision: 2_147_483_647 },
    { rule_type: "link", config: {} },
  ],
  unique: [],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

/** The table of what waits for moderators. */
export const queueItems: TableCase<TenantDb, QueueItemRow> = {
  name: "moderation queue",
  table: (db) => db.moderationQueue,
  row: (_, given) => Effect.sync(() => aQueueItem(given)),
  samples: [
    {
      ...{ reason: "reported", status: "approved", created_at: awkwardInstant, moderator_id: awkwardText },
      ...{ resolved_at: lateInstant, app_user_id: anId(), rule_id: anId(), text_digest: awkwardText, is_open: true },
      excerpt: awkwardText,
    },
    { content_type: "user", status: "escalated", is_open: null },
  ],
  unique: [["content_type", "content_id", "is_open"]],
  // Its text is one of a few, which are short.
  hashed: ["content_type,content_id,is_open"],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "moderator_id", ascending: textsInOrder },
}

/** The table of reports. */
export const moderationReports: TableCase<TenantDb, ReportRow> = {
  name: "moderation reports",
  table: (db) => db.moderationReports,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const item = aQueueItem()
    if (given.item_id === undefined) yield* Effect.orDie(db.moderationQueue.insert(item))
    return {
      id: makeId(nextNumber()),
      content_type: "message",
      content_id: anId(),
      text_digest: "ab",
      reason: "rude",
      created_at: new Date(builtAt),
      ...given,
      item_id: given.item_id ?? item.id,
      app_user_id: given.app_user_id ?? (yield* writeUser(db)),
    } satisfies ReportRow
  }),
  samples: [{ reason: awkwardText, created_at: awkwardInstant, content_type: "user" }, { content_type: "group" }],
  unique: [["item_id", "app_user_id", "text_digest"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}
