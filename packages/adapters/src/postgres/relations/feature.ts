import type {
  Block as BlockRow,
  Blocks,
  Follow as FollowRow,
  Follows,
  RelatedUser,
  RelationsDb,
} from "@hearth/core/relations"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { Block, Follow, relationsAndFeeds } from "./entities.ts"

/** A side of a relation: whose it is, and who is shown. */
interface Side {
  readonly table: string
  readonly own: string
  readonly other: string
}

const following: Side = { table: "follows", own: "follower_id", other: "followed_id" }
const followers: Side = { table: "follows", own: "followed_id", other: "follower_id" }
const blocking: Side = { table: "blocks", own: "blocker_id", other: "blocked_id" }

const counting = ({ table, own }: Side) => `select count(*)::int as count from ${table} where ${own} = $1`

// The slice is taken before the users are joined: whoever is skipped is not looked up.
const paging = ({ table, own, other }: Side) => `
  select u.id, u.display_name, u.avatar_url, r.created_at from (
    select id, ${other} as other_id, created_at from ${table} where ${own} = $1
    order by created_at desc, id desc limit $2 offset $3
  ) as r join app_users u on u.id = r.other_id order by r.created_at desc, r.id desc`

const countOf = (statements: Statements, side: Side, userId: string) =>
  Effect.map(statements.rows<{ readonly count: number }>(counting(side), [userId]), ([row]) => row?.count ?? 0)

const pageOf = Effect.fnUntraced(function* (
  statements: Statements,
  side: Side,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const rows = yield* statements.rows<RelatedUser>(paging(side), [userId, limit, offset])
  const isLast = rows.length > 0 && rows.length < limit
  return { rows, total: isLast ? offset + rows.length : yield* countOf(statements, side, userId) }
})

const removeSome = (statements: Statements, { table, own, other }: Side, userId: string, limit: number) => {
  const some = (column: string) => `select id from ${table} where ${column} = $1 limit $2 for update skip locked`
  const text = `
    with given as materialized (${some(own)}), received as materialized (${some(other)})
    delete from ${table} where id in (
      select id from given union select id from received limit $2
    )`
  return statements.count(text, [userId, limit])
}

const makeFollows = (statements: Statements, shape: TableShape): Follows => ({
  ...makeTable<FollowRow>(statements, shape),
  count: (followerId) => countOf(statements, following, followerId),
  pageOfUser: (userId, direction, slice) =>
    pageOf(statements, direction === "following" ? following : followers, userId, slice),
  removeBetween: (userId, otherId) =>
    statements.send(
      `delete from follows
       where follower_id = $1 and followed_id = $2 or follower_id = $2 and followed_id = $1`,
      [userId, otherId],
    ),
  removeSome: (userId, limit) => removeSome(statements, following, userId, limit),
})

const amongst = `
  select blocked_id as id from blocks where blocker_id = $1 and blocked_id = any($2::uuid[])
  union all
  select blocker_id from blocks where blocked_id = $1 and blocker_id = any($2::uuid[])`

const between = `
  select exists (select from blocks where blocker_id = any($1::uuid[]) and blocked_id = any($2::uuid[]))
    or exists (select from blocks where blocker_id = any($2::uuid[]) and blocked_id = any($1::uuid[])) as found`

const makeBlocks = (statements: Statements, shape: TableShape): Blocks => ({
  ...makeTable<BlockRow>(statements, shape),
  count: (blockerId) => countOf(statements, blocking, blockerId),
  pageOfUser: (userId, slice) => pageOf(statements, blocking, userId, slice),
  amongst: (userId, otherIds) =>
    Effect.map(
      statements.rows<{ readonly id: string }>(amongst, [userId, otherIds]),
      (rows) => new Set(rows.map(({ id }) => id)),
    ),
  between: (userIds, otherIds) =>
    Effect.map(
      statements.rows<{ readonly found: boolean }>(between, [userIds, otherIds]),
      ([row]) => row?.found === true,
    ),
  removeSome: (userId, limit) => removeSome(statements, blocking, userId, limit),
})

/** Relations between users in PostgreSQL. */
export const relationsFeature: TenantFeature<RelationsDb> = {
  tenant: {
    entities: [Follow, Block],
    steps: [relationsAndFeeds],
    repositories: {
      follows: (statements, shapes) => makeFollows(statements, shapes(Follow)),
      blocks: (statements, shapes) => makeBlocks(statements, shapes(Block)),
    },
  },
}
