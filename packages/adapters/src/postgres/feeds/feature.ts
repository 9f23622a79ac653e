import type { ListPlace, Slice } from "@hearth/core"
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
import { makeBindings } from "../sql/bindings.ts"
import { opaque } from "../sql/opaque.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"
import { FeedItem, FeedRule, feedItemsOfActions } from "./entities.ts"
import { describeItem, readFeed } from "./read-feed.ts"

const makeRules = (statements: Statements, shape: TableShape): FeedRules => ({
  ...makeTable<FeedRuleRow>(statements, shape),
  count: () =>
    Effect.map(
      statements.rows<{ readonly count: number }>("select count(*)::int from feed_rules"),
      ([row]) => row?.count ?? 0,
    ),
  listActive: (eventNames) =>
    statements.lock<FeedRuleRow>(
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

const conditionsOf = (action: string | null, place: ListPlace | null = null) => {
  const { bind, values } = makeBindings()
  const conditions = [
    ...(action === null ? [] : [`action = ${bind(action, "text")}`]),
    ...(place === null ? [] : [`(created_at, id) < (${bind(place.at, "timestamptz")}, ${bind(place.id, "uuid")})`]),
  ]
  return { where: conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`, bind, values }
}

const listWithActors = (
  statements: Statements,
  action: string | null,
  { limit, offset }: Slice,
  place: ListPlace | null = null,
): Effect.Effect<ReadonlyArray<FeedItemWithActor>> => {
  const { where, bind, values } = conditionsOf(action, place)
  // The slice is taken before the actors are joined: those of items that are skipped are not looked up.
  const text = `
    select i.id, i.actor_id, i.action, i.target_id, i.created_at, u.display_name, u.avatar_url from (
      select id, actor_id, action, target_id, created_at from feed_items ${where}
      order by created_at desc, id desc limit ${bind(limit, "bigint")} offset ${bind(offset, "bigint")}
    ) as i join app_users u on u.id = i.actor_id order by i.created_at desc, i.id desc`
  return Effect.map(statements.rows<Parameters<typeof describeItem>[0]>(text, values), (found) =>
    found.map(describeItem),
  )
}

const pageWithActors = Effect.fnUntraced(function* (statements: Statements, action: string | null, slice: Slice) {
  const rows = yield* listWithActors(statements, action, slice)
  if (rows.length > 0 && rows.length < slice.limit) return { rows, total: slice.offset + rows.length }
  const { where, values } = conditionsOf(action)
  const counted = `select count(*)::int as total from feed_items ${where}`
  const [count] = yield* statements.rows<{ readonly total: number }>(counted, values)
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
  listWithActors: (action, place, slice) => listWithActors(statements, action, slice, place),
  removeSome: (actorId, limit) => statements.count(removeSome, [actorId, limit]),
  removeOld: (before, limit) => statements.count(removeOld, [before, limit]),
  oldest: () => statements.instant("select created_at from feed_items order by created_at, id limit 1"),
})

/** Feeds in PostgreSQL. Their tables come with those of relations. */
export const feedsFeature: TenantFeature<FeedsDb> = {
  tenant: {
    entities: [FeedRule, FeedItem],
    steps: [feedItemsOfActions],
    repositories: {
      feedRules: (statements, shapes) => makeRules(statements, shapes(FeedRule)),
      feedItems: (statements, shapes) => makeItems(statements, shapes(FeedItem)),
    },
  },
}
