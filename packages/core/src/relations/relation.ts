import { Schema } from "effect"
import { failure } from "../failure.ts"
import { Timestamp, Uuid } from "../schema.ts"
import { Person } from "../users/user.ts"

/** One of the two users has blocked the other [I3.2, I4.3]. */
export class Blocked extends failure(
  "Blocked",
  "forbidden",
  "BLOCKED",
  "One of the two users has blocked the other.",
) {}

/** That a user follows another. Unique: follower and followed. */
export const Follow = Schema.Struct({ id: Uuid, follower_id: Uuid, followed_id: Uuid, created_at: Timestamp })
export type Follow = typeof Follow.Type

/** That a user has blocked another. Unique: blocker and blocked. */
export const Block = Schema.Struct({ id: Uuid, blocker_id: Uuid, blocked_id: Uuid, created_at: Timestamp })
export type Block = typeof Block.Type

/** The other user of a follow or a block, and since when there is one [I4.3]. */
export const RelatedUser = Schema.Struct({ ...Person.fields, created_at: Timestamp }).annotate({
  identifier: "RelatedUser",
})
export type RelatedUser = typeof RelatedUser.Type

/** Whom a list of follows has: those whom the caller follows, or those who follow the caller. */
export const FollowDirection = Schema.Literals(["following", "followers"])
export type FollowDirection = typeof FollowDirection.Type
