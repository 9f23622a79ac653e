import { Block, type Blocks, Follow, type Follows, type RelatedUser, type RelationsDb } from "@hearth/core/relations"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { canLockRow, removeRow, rowsOf } from "../memory/rows.ts"
import { describeTable, type Identified, type Shape } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"

/** Who follows whom. */
export const followShape = describeTable("follows", Follow, {
  unique: [["follower_id", "followed_id"]],
  parents: { follower_id: "users", followed_id: "users" },
})

/** Who has blocked whom. */
export const blockShape = describeTable("blocks", Block, {
  unique: [["blocker_id", "blocked_id"]],
  parents: { blocker_id: "users", blocked_id: "users" },
})

/** Whether there is a block between two users, whoever of them made it. */
export const areBlocked = (draft: Draft, userId: string, otherId: string): boolean =>
  select(draft, blockShape, { blocker_id: userId, blocked_id: otherId }).length > 0 ||
  select(draft, blockShape, { blocker_id: otherId, blocked_id: userId }).length > 0

const describeOther = (draft: Draft, otherId: string, created_at: Date): RelatedUser => {
  const user = rowsOf(draft, userShape).get(otherId)
  if (user === undefined) throw new Error("A relation has a user that is not there.")
  return { id: user.id, display_name: user.display_name, avatar_url: user.avatar_url, created_at }
}

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

const removeSome = <Row extends Identified>(
  draft: Draft,
  shape: Shape<Row>,
  isOwn: (row: Row) => boolean,
  limit: number,
): number => {
  const own = [...rowsOf(draft, shape).values()].filter(
    (row) => isOwn(row) && canLockRow(draft, shape, row.id, "update"),
  )
  const some = own.slice(0, limit)
  for (const row of some) removeRow(draft, shape, row)
  return some.length
}

const memoryFollows = (statements: Statements): Follows => ({
  ...memoryTable(statements, followShape),
  count: (follower_id) => statements.query((draft) => select(draft, followShape, { follower_id }).length),
  pageOfUser: (userId, direction, slice) =>
    statements.query((draft) => {
      const isFollowing = direction === "following"
      const own = select(draft, followShape, isFollowing ? { follower_id: userId } : { followed_id: userId })
      const { rows, total } = pageOf(sorted(followShape, own, newestFirst), slice)
      const other = (row: Follow) => (isFollowing ? row.followed_id : row.follower_id)
      return { rows: rows.map((row) => describeOther(draft, other(row), row.created_at)), total }
    }),
  removeBetween: (userId, otherId) =>
    statements.change((draft) => {
      const between = [
        ...select(draft, followShape, { follower_id: userId, followed_id: otherId }),
        ...select(draft, followShape, { follower_id: otherId, followed_id: userId }),
      ]
      for (const row of between) removeRow(draft, followShape, row)
    }),
  removeSome: (userId, limit) =>
    statements.change((draft) => {
      const [id = ""] = keepIds([userId])
      return removeSome(draft, followShape, (row) => row.follower_id === id || row.followed_id === id, limit)
    }),
})

const memoryBlocks = (statements: Statements): Blocks => ({
  ...memoryTable(statements, blockShape),
  count: (blocker_id) => statements.query((draft) => select(draft, blockShape, { blocker_id }).length),
  pageOfUser: (blocker_id, slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(sorted(blockShape, select(draft, blockShape, { blocker_id }), newestFirst), slice)
      return { rows: rows.map((row) => describeOther(draft, row.blocked_id, row.created_at)), total }
    }),
  amongst: (userId, otherIds) =>
    statements.query((draft) => new Set(keepIds(otherIds).filter((otherId) => areBlocked(draft, userId, otherId)))),
  between: (userIds, otherIds) =>
    statements.query((draft) => {
      const others = keepIds(otherIds)
      return keepIds(userIds).some((userId) => others.some((otherId) => areBlocked(draft, userId, otherId)))
    }),
  removeSome: (userId, limit) =>
    statements.change((draft) => {
      const [id = ""] = keepIds([userId])
      return removeSome(draft, blockShape, (row) => row.blocker_id === id || row.blocked_id === id, limit)
    }),
})

/** Relations between users. */
export const memoryRelations = (statements: Statements): RelationsDb => ({
  follows: memoryFollows(statements),
  blocks: memoryBlocks(statements),
})
