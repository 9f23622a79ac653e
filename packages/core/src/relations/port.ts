import type { Effect } from "effect"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { Block, Follow, FollowDirection, RelatedUser } from "./relation.ts"

/** Who follows whom. Unique: `follower_id` and `followed_id`. Removed with either user. */
export interface Follows extends Table<Follow> {
  /** How many a user follows. */
  count(followerId: string): Effect.Effect<number>
  /** Whom a user follows, or who follows the user: the latest first. */
  pageOfUser(userId: string, direction: FollowDirection, slice: Slice): Effect.Effect<Page<RelatedUser>>
  /** Ends the follows between two users, both ways. */
  removeBetween(userId: string, otherId: string): Effect.Effect<void>
  /** Removes up to `limit` follows of a user, of either way, and answers how many. Passes over those that others have locked. */
  removeSome(userId: string, limit: number): Effect.Effect<number>
}

/** Who has blocked whom. Unique: `blocker_id` and `blocked_id`. Removed with either user. */
export interface Blocks extends Table<Block> {
  /** How many a user has blocked. */
  count(blockerId: string): Effect.Effect<number>
  /** Whom a user has blocked, the latest first. */
  pageOfUser(userId: string, slice: Slice): Effect.Effect<Page<RelatedUser>>
  /**
   * Those of the others between whom and the user there is a block, whoever of the two made it. A transaction in which that must
   * stay true has locked both users, at least `share`: whoever blocks has locked both.
   */
  amongst(userId: string, otherIds: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>>
  /** Whether there is a block between one of the users and one of the others, whoever of the two made it. Locks as for `amongst`. */
  between(userIds: ReadonlyArray<string>, otherIds: ReadonlyArray<string>): Effect.Effect<boolean>
  /** Removes up to `limit` blocks of a user, of either way, and answers how many. Passes over those that others have locked. */
  removeSome(userId: string, limit: number): Effect.Effect<number>
}

/** What a project's database has of relations between users. */
export interface RelationsDb {
  readonly follows: Follows
  readonly blocks: Blocks
}
