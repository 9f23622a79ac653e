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

/**
 * Segments and their members. The members go with their segment or user. While a segment is locked, nobody else changes it
 * or its members. Rules are parsed ones.
 */
export interface Segments extends Table<Segment> {
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

/**
 * Members of segments that are added and removed by hand. `user_count` of the segments moves in the same statement by as
 * many as came or went. Whoever calls `add` or `remove` has locked first the segments, then the users, so that nobody
 * waits in a circle and no number is lost.
 */
export interface SegmentMembers {
  /** Those of the segments that exist, locked in the order of their ids until the transaction ends. */
  lockSegments(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Pick<Segment, "id" | "is_system">>>
  /**
   * Makes every one of the users a member of every one of the segments, by hand: also who is one by the rules stays from
   * now on, and since when stays too. A segment or user who is not there is a defect.
   */
  add(segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>, at: Date): Effect.Effect<void>
  /** Ends every membership of these users in these segments, however it came about. Who is none is passed over. */
  remove(segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>): Effect.Effect<void>
}

/** What a project has of segments. */
export interface SegmentsDb {
  readonly segments: Segments
  readonly segmentMembers: SegmentMembers
}
