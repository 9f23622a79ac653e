import { InvalidInput, LimitReached, ListCursor, NotFound } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import {
  FeedCursor,
  FeedItem,
  FeedPage,
  FeedRule,
  FeedRuleChanges,
  FeedScopeText,
  NewFeedRule,
} from "@hearth/core/feeds"
import { Effect, Schema } from "effect"
import { digits, noOffset, paging, readsOn, word } from "../../http/request/query.ts"
import { created, deleted, json, listPageOf, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec: admin plane, feeds. */
const adminFeeds = [
  route("POST", "/admin/projects/:projectId/feeds/rules", {
    id: "feeds.rules.create",
    summary: "Creates a rule: events of this name make items of the feed from now on",
    description:
      '`action` is the word that the app shows: "completed", "joined". `target_type` says what the item is about.',
    access: "developer",
    body: NewFeedRule,
    errors: [InvalidInput, LimitReached],
    returns: created(FeedRule),
    run: ({ core, params, body }) => core.feeds.createRule(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/feeds/rules", {
    id: "feeds.rules.list",
    summary: "Lists the rules, the oldest first",
    description: "Inactive rules are in the list too.",
    access: "developer",
    query: paging(),
    returns: pageOf(FeedRule),
    run: ({ core, params, query }) => core.feeds.rules(params.projectId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/feeds/rules/:ruleId", {
    id: "feeds.rules.update",
    summary: "Changes the fields of a rule that are given, for events that are handled from now on",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: FeedRuleChanges,
    errors: [InvalidInput, NotFound],
    returns: ok(FeedRule),
    run: ({ core, params, body }) => core.feeds.updateRule(params.projectId, params.ruleId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/feeds/rules/:ruleId", {
    id: "feeds.rules.delete",
    summary: "Removes a rule; its items stay",
    description: "No further items are made, and those that were made can still be read.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.feeds.removeRule(params.projectId, params.ruleId),
  }),
  route("GET", "/admin/projects/:projectId/feeds/items", {
    id: "feeds.items.list",
    summary: "Lists the items of all users, the newest first",
    description:
      "Narrow the list with `action`. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), action: Schema.optionalKey(word), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    errors: [InvalidInput],
    returns: listPageOf(FeedItem, ListCursor),
    run: ({ core, params, query }) => core.feeds.items(params.projectId, query),
  }),
  route("DELETE", "/admin/projects/:projectId/feeds/items/:itemId", {
    id: "feeds.items.delete",
    summary: "Removes an item for good",
    description: "For an item that nobody should see. Its event stays in the log.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.feeds.removeItem(params.projectId, params.itemId),
  }),
]

/** Decisions D and I3.2: what users read. */
const clientFeeds = [
  route("GET", "/client/feed", {
    id: "client.feed.list",
    summary:
      "Shows what users did, the newest first, page by page; a page may be short, and only a next_cursor of null is the end",
    description:
      "`scope` says whose: everybody's, of those whom the caller follows, of the caller's groups, or of one group. Pass `next_cursor` as `cursor` to read on.",
    access: "client",
    query: {
      scope: FeedScopeText.pipe(Schema.withDecodingDefaultKey(Effect.succeed("all"))),
      limit: digits(1, 100).pipe(Schema.withDecodingDefaultKey(Effect.succeed("50"))),
      ...noOffset(),
      cursor: Schema.optionalKey(FeedCursor),
    },
    malformed: { cursor: InvalidCursor },
    errors: [InvalidInput, NotFound],
    returns: json(FeedPage),
    run: ({ core, caller, query }) => core.feeds.page(caller.project_id, caller.user_id, query),
  }),
]

/** The feed and its rules. */
export const feedRoutes = [...adminFeeds, ...clientFeeds]
