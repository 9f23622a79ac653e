import { Effect } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { LimitReached, NotFound } from "../failure.ts"
import type { GroupsDb } from "../groups/port.ts"
import { type ListQuery, readList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { FeedRule, FeedRuleChanges, NewFeedRule } from "./feed-rule.ts"
import type { FeedPosition, FeedsDb } from "./port.ts"
import type { FeedScope } from "./scope.ts"

/** The most rules of a project. Each may make an item of every event. */
const maxRules = 200

/** Which page of a feed is asked for. */
export interface FeedPageQuery {
  readonly scope: FeedScope
  readonly limit: number
  readonly cursor?: FeedPosition
}

/** Which items a developer asks for. */
export interface FeedItemsQuery extends ListQuery {
  readonly action?: string | null
}

type FeedsPorts = Pick<Ports<FeedsDb & GroupsDb>, "clock" | "ids" | "tenants">

/**
 * What users did, as others read it [I3.1, I3.2]. Rules change under the project's hold: events that are handled after a change
 * follow it.
 */
export const makeFeeds = (
  { clock, ids, tenants }: FeedsPorts,
  background: Pick<Dispatcher<BackgroundDb & EventsDb & FeedsDb>, "transact">,
) => ({
  /** Creates a rule. It makes items of events that are handled from now on [I3.1]. `LIMIT_REACHED`. */
  createRule: Effect.fn("feeds.createRule")((projectId: string, input: NewFeedRule) =>
    background.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        if ((yield* db.feedRules.count()) >= maxRules) return yield* new LimitReached({ limit: maxRules })
        const rule: FeedRule = { id: ids.uuid(), ...input, is_active: true, created_at: clock.now() }
        yield* Effect.orDie(db.feedRules.insert(rule))
        return rule
      }),
      { alone: true },
    ),
  ),

  /** The rules, in the order in which they were created [I3.1]. */
  rules: (projectId: string, slice: Slice) =>
    tenants.read(projectId, (db) => db.feedRules.page({}, [["created_at", "asc"]], slice)),

  /** Changes the fields that are given. Items that there are stay as they are [I3.1]. `NOT_FOUND`. */
  updateRule: Effect.fn("feeds.updateRule")((projectId: string, id: string, changes: FeedRuleChanges) =>
    background.transact(projectId, (db) => orFail(Effect.orDie(db.feedRules.update(id, changes)), NotFound), {
      alone: true,
    }),
  ),

  /** Removes a rule. Its items stay. Nothing happens where there is none [I3.1]. */
  removeRule: Effect.fn("feeds.removeRule")((projectId: string, id: string) =>
    background.transact(projectId, (db) => db.feedRules.remove({ id }), { alone: true }),
  ),

  /** All items with their actors, the newest first, also those that users do not see (spec: admin plane, feeds). */
  items: (projectId: string, { action = null, ...query }: FeedItemsQuery) =>
    tenants.read(projectId, ({ feedItems }) =>
      readList(query, {
        page: (slice) => feedItems.pageWithActors(action, slice),
        after: (place, slice) => feedItems.listWithActors(action, place, slice),
        place: ({ created_at, id }) => ({ at: created_at, id }),
      }),
    ),

  /** Removes an item for good. Nothing happens where there is none (spec: admin plane, feeds). */
  removeItem: (projectId: string, id: string) => tenants.transact(projectId, (db) => db.feedItems.remove({ id })),

  /**
   * A page of what the caller may see of a scope, the newest first [I3.2]. `NOT_FOUND` for the feed of a group that the caller is no
   * member of.
   */
  page: Effect.fn("feeds.page")((projectId: string, userId: string, { scope, limit, cursor }: FeedPageQuery) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        if (scope.of === "group")
          yield* orFail(db.groupMembers.find({ group_id: scope.group_id, app_user_id: userId }), NotFound)
        const { items, next } = yield* db.feedItems.readFeed({ viewer_id: userId, scope, after: cursor ?? null, limit })
        return { data: items, next_cursor: next }
      }),
    ),
  ),
})
