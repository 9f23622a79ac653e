import { Effect, Option } from "effect"
import { InvalidInput, InvalidToken, QuotaExceeded } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { together } from "../together.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import type { UserRow } from "../users/user.ts"
import type { RelationsDb } from "./port.ts"
import { Blocked, type FollowDirection, type RelatedUser } from "./relation.ts"

/** How many a user may follow, and block [I0.2]. */
const maxFollows = 5_000
const maxBlocks = 1_000

const refuseSelf = (userId: string, otherId: string) =>
  userId === otherId
    ? Effect.fail(new InvalidInput({ issues: [{ path: "userId", message: "must be another user" }] }))
    : Effect.void

/**
 * The other user. Both are locked by id until the transaction ends, so that a follow and a block of the same two come one after the
 * other. The other one only `share`: many may follow one user at once.
 */
const lockBoth = Effect.fnUntraced(function* (db: UsersDb, userId: string, otherId: string) {
  const lock = (id: string) => db.users.lock(id, id === userId ? "no key update" : "share")
  const locked = yield* together([userId, otherId].toSorted().map(lock))
  const find = (id: string) => locked.flatMap(Option.toArray).find((user) => user.id === id)
  if (find(userId) === undefined) return yield* new InvalidToken()
  return find(otherId) ?? (yield* new UserNotFound())
})

const describe = ({ id, display_name, avatar_url }: UserRow, created_at: Date): RelatedUser => ({
  ...{ id, display_name, avatar_url },
  created_at,
})

type RelationsPorts = Pick<Ports<RelationsDb & UsersDb>, "clock" | "ids" | "tenants">

/** Whom users follow and block [I3.2, I4.3]. */
export const makeRelations = ({ clock, ids, tenants }: RelationsPorts) => ({
  /**
   * Follows a user. Again it is the follow that there is. `created` says which [I3.2]. `USER_NOT_FOUND`; `INVALID_INPUT` for oneself;
   * `BLOCKED` by either [I3.2]; `QUOTA_EXCEEDED` over 5,000 [I0.2]; `INVALID_TOKEN` for a user who is gone.
   */
  follow: Effect.fn("relations.follow")(function* (projectId: string, userId: string, otherId: string) {
    yield* refuseSelf(userId, otherId)
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const other = yield* lockBoth(db, userId, otherId)
        const pair = { follower_id: userId, followed_id: otherId }
        const [present, blocked, count] = yield* together([
          db.follows.find(pair),
          db.blocks.amongst(userId, [otherId]),
          db.follows.count(userId),
        ])
        if (Option.isSome(present)) return { created: false, row: describe(other, present.value.created_at) }
        if (blocked.size > 0) return yield* new Blocked()
        if (count >= maxFollows) return yield* new QuotaExceeded({ limit: maxFollows })
        const follow = { id: ids.uuid(), ...pair, created_at: clock.now() }
        yield* Effect.orDie(db.follows.insert(follow))
        return { created: true, row: describe(other, follow.created_at) }
      }),
    )
  }),

  /** Ends a follow. Nothing happens where there is none [I3.2]. `USER_NOT_FOUND`; `INVALID_INPUT` for oneself. */
  unfollow: Effect.fn("relations.unfollow")(function* (projectId: string, userId: string, otherId: string) {
    yield* refuseSelf(userId, otherId)
    yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.users.find({ id: otherId }), UserNotFound)
        yield* db.follows.remove({ follower_id: userId, followed_id: otherId })
      }),
    )
  }),

  /** Whom the user follows, or who follows the user [I3.2]. */
  follows: (projectId: string, userId: string, direction: FollowDirection, slice: Slice) =>
    tenants.read(projectId, (db) => db.follows.pageOfUser(userId, direction, slice)),

  /**
   * Blocks a user, and ends the follows between the two. Again it is the block that there is. `created` says which [I4.3].
   * `USER_NOT_FOUND`; `INVALID_INPUT` for oneself; `QUOTA_EXCEEDED` over 1,000 [I0.2]; `INVALID_TOKEN` for a user who is gone.
   */
  block: Effect.fn("relations.block")(function* (projectId: string, userId: string, otherId: string) {
    yield* refuseSelf(userId, otherId)
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const other = yield* lockBoth(db, userId, otherId)
        const pair = { blocker_id: userId, blocked_id: otherId }
        const [present, count] = yield* together([db.blocks.find(pair), db.blocks.count(userId)])
        if (Option.isSome(present)) return { created: false, row: describe(other, present.value.created_at) }
        if (count >= maxBlocks) return yield* new QuotaExceeded({ limit: maxBlocks })
        const block = { id: ids.uuid(), ...pair, created_at: clock.now() }
        yield* Effect.orDie(db.blocks.insert(block))
        yield* db.follows.removeBetween(userId, otherId)
        return { created: true, row: describe(other, block.created_at) }
      }),
    )
  }),

  /** Ends a block of the user's own. Nothing happens where there is none. What it has ended does not come back [I4.3]. */
  unblock: (projectId: string, userId: string, otherId: string) =>
    tenants.transact(projectId, (db) => db.blocks.remove({ blocker_id: userId, blocked_id: otherId })),

  /** Whom the user has blocked, the latest first [I4.3]. */
  blocks: (projectId: string, userId: string, slice: Slice) =>
    tenants.read(projectId, (db) => db.blocks.pageOfUser(userId, slice)),
})
