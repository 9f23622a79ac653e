import {
  FeedItemRow,
  type FeedItems,
  type FeedItem as FeedItemWithActor,
  type FeedRule as FeedRuleRow,
  type FeedRules,
  type FeedsDb,
} from "@hearth/core/feeds"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { opaque } from "../sql/opaque.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"
import { FeedItem, FeedRule } from "./entities.ts"
import { describeItem, readFeed } from "./read-feed.ts"

const makeRules = (statements: Statements, shape: TableShape): FeedRules => ({
  ...makeTable<FeedRuleRow>(statements, shape),
  count: () =>
    Effect.map(
      statements.rows<{ readonly count: number }>("select count(*)::int from feed_rules"),
      ([row]) => row?.count ?? 0,
    ),
  listActive: (eventNames) =>
    statements.prepared<FeedRuleRow>(
      "active-feed-rules",
      `select ${shape.columns.join(", ")} from feed_rules where is_active and source_event = any($1::text[]) order by id`,
      [eventNames],
    ),
})

const items = rowSet(FeedItemRow)
const itemColumns = items.columns.join(", ")

// The actors first, in their order: whoever removes one of them waits, or is waited for.
const insertNew = `
  with given as materialized (select * from ${items.from(1)}), known as materialized (
    select id from app_users where id in (select actor_id from given) order by id for key share
  )
  insert into feed_items (${itemColumns})
  select ${items.columns.map((column) => `given.${column}`).join(", ")} from given join known on known.id = given.actor_id
  order by given.ordinal on conflict (event_id, rule_id) do nothing`

const removeOld = `
  delete from feed_items where id in (
    select id from feed_items where created_at < $1 order by created_at, id limit $2 for update skip locked
  )`

const removeSome = `
  delete from feed_items where id in (
    select id from feed_items where actor_id = $1 limit $2 for update skip locked
  )`

// The slice is taken before the actors are joined: those of items that are skipped are not looked up.
const page = (condition: string) => `
  select i.id, i.actor_id, i.action, i.target_id, i.created_at, u.display_name, u.avatar_url from (
    select id, actor_id, action, target_id, created_at from feed_items ${condition}
    order by created_at desc, id desc limit $1 offset $2
  ) as i join app_users u on u.id = i.actor_id order by i.created_at desc, i.id desc`

const pageWithActors = Effect.fnUntraced(function* (
  statements: Statements,
  action: string | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const condition = (parameter: string) => (action === null ? "" : `where action = ${parameter}`)
  const given = action === null ? [] : [action]
  const found = yield* statements.rows<Parameters<typeof describeItem>[0]>(page(condition("$3")), [
    ...[limit, offset],
    ...given,
  ])
  const rows: ReadonlyArray<FeedItemWithActor> = found.map(describeItem)
  if (rows.length > 0 && rows.length < limit) return { rows, total: offset + rows.length }
  const counted = `select count(*)::int as total from feed_items ${condition("$1")}`
  const [count] = yield* statements.rows<{ readonly total: number }>(counted, given)
  return { rows, total: count?.total ?? 0 }
})

const makeItems = (statements: Statements, shape: TableShape): FeedItems => ({
  ...makeTable<FeedItemRow>(statements, shape),
  findGroups: (ids) =>
    Effect.map(
      statements.rows<{ readonly id: string }>(`select id from groups where id = any(${opaque("$1::uuid[]")})`, [ids]),
      (rows) => new Set(rows.map(({ id }) => id)),
    ),
  insertNew: (given) => Effect.asVoid(statements.rows(insertNew, items.values(given))),
  readFeed: (query) => readFeed(statements, query),
  pageWithActors: (action, slice) => pageWithActors(statements, action, slice),
  removeSome: (actorId, limit) => statements.count(removeSome, [actorId, limit]),
  removeOld: (before, limit) => statements.count(removeOld, [before, limit]),
  oldest: () => statements.instant("select created_at from feed_items order by created_at, id limit 1"),
})

/** Feeds in PostgreSQL. Their tables come with those of relations. */
export const feedsFeature: TenantFeature<FeedsDb> = {
  tenant: {
    entities: [FeedRule, FeedItem],
    repositories: {
      feedRules: (statements, shapes) => makeRules(statements, shapes(FeedRule)),
      feedItems: (statements, shapes) => makeItems(statements, shapes(FeedItem)),
    },
  },
}
