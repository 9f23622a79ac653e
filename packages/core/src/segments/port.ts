import type { Effect, Option } from "effect"
import type { Table } from "../ports/table.ts"
import type { UserRow } from "../users/user.ts"
import type { SegmentMembership } from "./membership.ts"
import type { RuleGroup } from "./rules.ts"
import type { Segment } from "./segment.ts"

/** The users that rules describe: how many they are, and some of them. */
export interface SegmentPreview {
  readonly user_count: number
  /** The latest active first: by `last_seen_at`, then by `id`. */
  readonly sample: ReadonlyArray<UserRow>
}

/** Segments and their members. The members go with their segment or user. Rules are parsed ones. */
export interface Segments extends Table<Segment> {
  /** The segment, locked until the transaction ends: nobody else changes it or adds members meanwhile. */
  lock(id: string): Effect.Effect<Option.Option<Segment>>
  /**
   * Makes the members those that the rules describe at `now` together with those who were added by hand, and writes
   * `user_count` and `last_evaluated_at`, all in one statement. Answers the count. Only memberships that differ are written.
   * The caller has locked the segment in an earlier statement of the same transaction, so that this one sees what the last
   * one to hold the lock has committed. Nothing happens, and the count is 0, where there is no such segment.
   */
  evaluate(id: string, rules: RuleGroup, now: Date): Effect.Effect<number>
  /** Whom the rules describe at `now`. The sample has `sampleSize` users, or all when they are fewer. */
  preview(rules: RuleGroup, now: Date, sampleSize: number): Effect.Effect<SegmentPreview>
  /** That a user is a member of a segment. */
  membership(segmentId: string, userId: string): Effect.Effect<Option.Option<SegmentMembership>>
}
