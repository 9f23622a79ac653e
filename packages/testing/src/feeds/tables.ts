import type { TenantDb } from "@hearth/core"
import { type FeedItemRow, type FeedRule, feedItemsSection } from "@hearth/core/feeds"
import { Effect } from "effect"
import { anId, builtAt, type Given } from "../builders.ts"
import {
  awkwardInstant,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"

/** An active rule for lessons. */
export const aFeedRule = (given: Partial<FeedRule> = {}): FeedRule => ({
  id: anId(),
  source_event: "lesson",
  action: "learned",
  target_type: null,
  is_active: true,
  created_at: new Date(builtAt),
  ...given,
})

/** An item of an event of its own. */
export const aFeedItem = (given: Given<FeedItemRow, "actor_id">): FeedItemRow => ({
  id: anId(),
  event_id: anId(),
  rule_id: anId(),
  action: "learned",
  target_id: null,
  group_id: null,
  target_group_id: null,
  created_at: new Date(builtAt),
  ...given,
})

/** The table of rules. */
export const feedRules: TableCase<TenantDb, FeedRule> = {
  name: "feed rules",
  table: (db) => db.feedRules,
  row: (_, given) => Effect.sync(() => aFeedRule(given)),
  samples: [
    { source_event: awkwardText, action: awkwardText, target_type: awkwardText, is_active: false },
    { target_type: null, created_at: lateInstant },
  ],
  unique: [],
  sorting: { column: "action", ascending: textsInOrder },
  nullable: { column: "target_type", ascending: textsInOrder },
}

/** The table of items. */
export const feedItems: TableCase<TenantDb, FeedItemRow> = {
  name: "feed items",
  table: (db) => db.feedItems,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aFeedItem({ ...given, actor_id: given.actor_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    {
      ...{ action: awkwardText, target_id: awkwardText.repeat(20), created_at: awkwardInstant },
      ...{ group_id: anId(), target_group_id: anId() },
    },
    { target_id: null, group_id: null, created_at: earlyInstant },
    { target_id: "", created_at: lateInstant },
  ],
  unique: [["event_id", "rule_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "target_id", ascending: textsInOrder },
}

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const actor_id = yield* writeUser(db)
  const rows = [aFeedItem({ actor_id, target_id: awkwardText }), aFeedItem({ actor_id })]
  for (const row of rows) yield* db.feedItems.insert(row)
  return { userId: actor_id, rows }
})

/** What a project promises about feed items in the file about a user. */
export const feedItemsSectionContract = sectionContract(feedItemsSection, write)
