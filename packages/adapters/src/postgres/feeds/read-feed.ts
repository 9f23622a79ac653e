import type { FeedItem, FeedQuery, FeedSlice } from "@hearth/core/feeds"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// A group of more members is read by time: a probe of an index for each of them would take too long.
const mostProbes = 5_000

// So many items by time are looked through for those of a large group: of 5,000 members among a million users about 25.
const largeGroupItems = 5_000

/** The pages for which a statement is kept: the usual one, and the largest. */
const [usualPage, largestPage] = [50, 100]

/** In all statements: the viewer, the limit, the group, and the position. */
const [viewer, limit, group, at, id] = ["$1::uuid", "$2::int", "$3::uuid", "$4::timestamptz", "$5::uuid"]

const columns = "id, actor_id, action, target_id, group_id, target_group_id, created_at"
const newestFirst = "order by created_at desc, id desc"

/** What a page is read from. */
interface Source {
  readonly name: string
  /** Selects the `scan` newest items after the position. */
  readonly select: (after: string, scan: number) => string
  /** How many are looked through for a page of up to so many. */
  readonly scan: (size: number) => number
  /** Which of them the viewer sees, as a condition on `s`. */
  readonly isShown: string
}

const byTime =
  (condition = "true"): Source["select"] =>
  (after, scan) =>
    `select ${columns} from feed_items where ${condition} and ${after} ${newestFirst} limit ${scan}`

/**
 * The newest items of many users. First the newest of each, by one probe of an index. Of the users only those with the newest
 * of these can have one of the newest items, and where they are as many as are looked through, none of the items is older than
 * the oldest of theirs.
 */
const ofActors =
  (actors: string, more: Source["select"] = () => ""): Source["select"] =>
  (after, scan) =>
    `
    with heads as materialized (
      select actor.id as actor_id, head.created_at from (${actors}) as actor cross join lateral (
        select created_at, id from feed_items where actor_id = actor.id and ${after} ${newestFirst} limit 1
      ) as head order by head.created_at desc, head.id desc limit ${scan}
    ), bound as materialized (
      select case when count(*) < ${scan} then '-infinity' else min(created_at) end as oldest from heads
    ), keys as (
      select own.created_at, own.id from heads cross join bound cross join lateral (
        select created_at, id from feed_items
        where actor_id = heads.actor_id and created_at >= bound.oldest and ${after} ${newestFirst} limit ${scan}
      ) as own ${more(after, scan)}
    ), newest as materialized (select id from keys ${newestFirst} limit ${scan})
    select item.* from newest cross join lateral (
      select ${columns} from feed_items where id = newest.id offset 0
    ) as item`

// `offset 0`, here and above, makes it a probe of an index per item. A join could read all items, all who have blocked the viewer,
// or all members of a large group.
const exists = (rows: string) => `exists (select from ${rows} offset 0)`

const isOpen = (column: string) => `(
  s.${column} is null or s.${column} = ${group}
  or ${exists(`groups g where g.id = s.${column} and g.is_public and g.moderation = 'shown'`)}
)`

/** Whether others see an item: there is no block between the two, and its groups are open, or the one that is read [I3.1, I3.2]. */
const isShown = `
  not ${exists(`blocks b where b.blocker_id = ${viewer} and b.blocked_id = s.actor_id`)}
  and not ${exists(`blocks b where b.blocker_id = s.actor_id and b.blocked_id = ${viewer}`)}
  and ${isOpen("group_id")} and ${isOpen("target_group_id")}`

// Twice a page and more, so that a page is seldom short; not much more, so that it costs little.
const scanPage = (size: number) => 2 * size + 50

const all: Source = { name: "all", select: byTime(), scan: scanPage, isShown }
const mine: Source = {
  name: "mine",
  select: byTime(`actor_id = ${viewer}`),
  scan: (size) => size + 1,
  isShown: "true",
}
const following: Source = {
  name: "following",
  select: ofActors(`select followed_id as id from follows where follower_id = ${viewer}`),
  scan: scanPage,
  isShown,
}
const smallGroup: Source = {
  name: "group",
  select: ofActors(
    `select app_user_id as id from group_members where group_id = ${group}`,
    (after, scan) => `union (
      select created_at, id from feed_items where target_group_id = ${group} and ${after} ${newestFirst} limit ${scan}
    )`,
  ),
  scan: scanPage,
  isShown,
}
const largeGroup: Source = {
  name: "large-group",
  select: byTime(),
  scan: () => largeGroupItems,
  isShown: `(
      s.target_group_id = ${group}
      or ${exists(`group_members m where m.group_id = ${group} and m.app_user_id = s.actor_id`)}
    ) and ${isShown}`,
}

// One row with what was looked through, and with it the items of the page, one more than it has where there are more.
const pageSql = ({ select, isShown }: Source, after: string, scan: number) => `
  with scanned as materialized (${select(after, scan)}), shown as materialized (
    select s.* from scanned s where ${isShown} ${newestFirst} limit ${limit} + 1
  ), counted as (
    select count(*) >= ${scan} as has_more, ${group} as group_id, ${viewer} as viewer_id from scanned
  ), last as (
    select created_at, id from scanned order by created_at, id limit 1
  )
  select c.has_more, last.created_at as last_at, last.id as last_id,
    s.id, s.actor_id, s.action, s.target_id, s.created_at, s.display_name, s.avatar_url
  from counted c left join last on true left join (
    select shown.*, u.display_name, u.avatar_url from shown join app_users u on u.id = shown.actor_id
  ) as s on true
  order by s.created_at desc, s.id desc`

type Shown = Pick<FeedItem, "id" | "actor_id" | "action" | "target_id" | "created_at"> & FeedItem["actor"]

/** A row of a page; the item is null where there is none. */
type PageRow = { readonly has_more: boolean; readonly last_at: Date; readonly last_id: string } & (
  | Shown
  | { readonly id: null }
)

/** An item with its actor, from a row of both. */
export const describeItem = (row: Shown): FeedItem => {
  const { id, actor_id, action, target_id, created_at, display_name, avatar_url } = row
  return { id, actor_id, action, target_id, created_at, actor: { id: actor_id, display_name, avatar_url } }
}

const isShownRow = (row: PageRow): row is PageRow & Shown => row.id !== null

const sliceRows = (rows: ReadonlyArray<PageRow>, size: number): FeedSlice => {
  const items = rows.filter(isShownRow).map(describeItem)
  const page = items.slice(0, size)
  const end = page.at(-1)
  if (items.length > size && end !== undefined) return { items: page, next: { created_at: end.created_at, id: end.id } }
  const [first] = rows
  const next = first?.has_more === true ? { created_at: first.last_at, id: first.last_id } : null
  return { items: page, next }
}

const findSource = (statements: Statements, { scope }: FeedQuery): Effect.Effect<Source> => {
  if (scope.of !== "group") return Effect.succeed({ all, mine, following }[scope.of])
  const text = "select member_count from groups where id = $1"
  return Effect.map(statements.rows<{ readonly member_count: number }>(text, [scope.group_id]), ([found]) =>
    (found?.member_count ?? 0) > mostProbes ? largeGroup : smallGroup,
  )
}

/** A page of a feed. What it reads is bounded, however much of it the viewer does not see. */
export const readFeed = Effect.fnUntraced(function* (statements: Statements, query: FeedQuery) {
  const source = yield* findSource(statements, query)
  const { viewer_id, scope, after } = query
  const group_id = scope.of === "group" ? scope.group_id : null
  const values = [viewer_id, query.limit, group_id]
  // Numbers that the planner knows: with an unknown `limit` it expects a tenth of the table. Two of them, so that plans are kept.
  const size = query.limit <= usualPage ? usualPage : largestPage
  const name = `feed-${source.name}-${size}`
  const scan = source.scan(size)
  const rows =
    after === null
      ? yield* statements.prepared<PageRow>(name, pageSql(source, "true", scan), values)
      : yield* statements.prepared<PageRow>(
          `${name}-after`,
          pageSql(source, `(created_at, id) < (${at}, ${id})`, scan),
          [...values, after.created_at, after.id],
        )
  return sliceRows(rows, query.limit)
})
