import {
  type FeedItem,
  FeedItemRow,
  type FeedItems,
  type FeedQuery,
  FeedRule,
  type FeedRules,
  type FeedSlice,
  type FeedsDb,
} from "@hearth/core/feeds"
import { groupMemberShape, groupShape } from "../groups/memory.ts"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { canLockRow, insertRow, lockRows, ownerOfKey, removeRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sliceAfter, sorted } from "../memory/table.ts"
import { areBlocked, followShape } from "../relations/memory.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"

/** The rules of feeds. */
export const feedRuleShape = describeTable("feed rules", FeedRule)

/** The items of feeds. */
export const feedItemShape = describeTable("feed items", FeedItemRow, {
  unique: [["event_id", "rule_id"]],
  parents: { actor_id: "users" },
})

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

const memoryRules = (statements: Statements): FeedRules => ({
  ...memoryTable(statements, feedRuleShape),
  count: () => statements.query((draft) => select(draft, feedRuleShape, {}).length),
  listActive: (eventNames) =>
    statements.query((draft) => {
      const active = select(draft, feedRuleShape, { is_active: true })
      return sorted(
        feedRuleShape,
        active.filter(({ source_event }) => eventNames.includes(source_event)),
        [],
      )
    }),
})

/** An item with its actor. */
export const describeItem = (draft: Draft, row: FeedItemRow): FeedItem => {
  const user = rowsOf(draft, userShape).get(row.actor_id)
  if (user === undefined) throw new Error("An item has an actor who is not there.")
  const { id, actor_id, action, target_id, created_at } = row
  const actor = { id: user.id, display_name: user.display_name, avatar_url: user.avatar_url }
  return { id, actor_id, action, target_id, created_at, actor }
}

/** Whether an item belongs to a scope. */
const isOfScope = (draft: Draft, { viewer_id, scope }: FeedQuery, { actor_id, target_group_id }: FeedItemRow) => {
  if (scope.of === "group") {
    const { group_id } = scope
    const membership = { group_id, app_user_id: actor_id }
    return target_group_id === group_id || select(draft, groupMemberShape, membership).length > 0
  }
  if (scope.of === "following")
    return select(draft, followShape, { follower_id: viewer_id, followed_id: actor_id }).length > 0
  return scope.of === "all" || actor_id === viewer_id
}

/** Whether the viewer sees an item of a scope. */
export const isShown = (draft: Draft, { viewer_id, scope }: FeedQuery, item: FeedItemRow) => {
  if (scope.of === "mine") return true
  const read = scope.of === "group" ? scope.group_id : null
  const isOpen = (id: string | null) => {
    const group = id === null ? undefined : rowsOf(draft, groupShape).get(id)
    return id === null || id === read || (group?.is_public === true && group.moderation === "shown")
  }
  return !areBlocked(draft, viewer_id, item.actor_id) && isOpen(item.group_id) && isOpen(item.target_group_id)
}

const readFeed = (draft: Draft, query: FeedQuery): FeedSlice => {
  const { after, limit } = query
  const isAfter = ({ created_at, id }: FeedItemRow) =>
    after === null || created_at < after.created_at || (+created_at === +after.created_at && id < after.id)
  const rows = [...rowsOf(draft, feedItemShape).values()].filter(
    (row) => isAfter(row) && isOfScope(draft, query, row) && isShown(draft, query, row),
  )
  const page = sorted(feedItemShape, rows, newestFirst).slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => describeItem(draft, row)),
    next: last === undefined || rows.length <= limit ? null : { created_at: last.created_at, id: last.id },
  }
}

const removeFirst = (draft: Draft, rows: ReadonlyArray<FeedItemRow>, limit: number): number => {
  const free = rows.filter(({ id }) => canLockRow(draft, feedItemShape, id, "update")).slice(0, limit)
  for (const row of free) removeRow(draft, feedItemShape, row)
  return free.length
}

const memoryItems = (statements: Statements): FeedItems => ({
  ...memoryTable(statements, feedItemShape),
  findGroups: (ids) =>
    statements.query((draft) => new Set(keepIds(ids).filter((id) => rowsOf(draft, groupShape).get(id) !== undefined))),
  insertNew: (items) =>
    statements.change((draft) => {
      const actors = readUsers(draft, [...new Set(items.map(({ actor_id }) => actor_id))])
      const known = new Set(lockRows(draft, userShape, actors, "key share").map(({ id }) => id))
      for (const item of items) {
        const isNew = ownerOfKey(draft, feedItemShape, ["event_id", "rule_id"], item) === undefined
        if (isNew && known.has(item.actor_id)) insertRow(draft, feedItemShape, item)
      }
    }),
  readFeed: (query) => statements.query((draft) => readFeed(draft, query)),
  pageWithActors: (action, slice) =>
    statements.query((draft) => {
      const rows = sorted(feedItemShape, select(draft, feedItemShape, action === null ? {} : { action }), newestFirst)
      const page = pageOf(rows, slice)
      return { rows: page.rows.map((row) => describeItem(draft, row)), total: page.total }
    }),
  listWithActors: (action, { at, id }, slice) =>
    statements.query((draft) => {
      const rows = select(draft, feedItemShape, action === null ? {} : { action })
      const after = sliceAfter(feedItemShape, rows, newestFirst, { created_at: at, id }, slice)
      return after.map((row) => describeItem(draft, row))
    }),
  removeSome: (actor_id, limit) =>
    statements.change((draft) => removeFirst(draft, select(draft, feedItemShape, { actor_id }), limit)),
  removeOld: (before, limit) =>
    statements.change((draft) => {
      const old = [...rowsOf(draft, feedItemShape).values()].filter(({ created_at }) => created_at < before)
      return removeFirst(draft, sorted(feedItemShape, old, [["created_at", "asc"]]), limit)
    }),
  oldest: () =>
    statements.query(
      (draft) =>
        sorted(feedItemShape, select(draft, feedItemShape, {}), [["created_at", "asc"]])[0]?.created_at ?? null,
    ),
})

/** Feeds. */
export const memoryFeeds = (statements: Statements): FeedsDb => ({
  feedRules: memoryRules(statements),
  feedItems: memoryItems(statements),
})
