import type { Effect, Option } from "effect"
import type { Table } from "../ports/table.ts"
import type { UserRow } from "../users/user.ts"
import type { UserFacts } from "./facts.ts"
import type { SegmentMembership } from "./membership.ts"
import type { RuleGroup } from "./rules.ts"
import type { Segment, SegmentRow } from "./segment.ts"

/** The users that match rules: their number, and some of them. */
export interface SegmentPreview {
  readonly user_count: number
  /** The latest active first: by `last_seen_at`, then by `id`. */
  readonly sample: ReadonlyArray<UserRow>
}

/**
 * Segments and their members. Unique: `campaign_id`, where not null. Members are removed with their segment or user, the
 * segment of a push-schedule with its campaign. While a segment is locked, no other transaction
 * changes it or its members. `rules` are always parsed ones.
 */
export interface Segments extends Table<SegmentRow> {
  /**
   * Keeps other evaluations of a segment out until the transaction ends. Locks no row and never waits: answers false while
   * another transaction evaluates the segment. Taken before the segment is read.
   */
  lockEvaluation(id: string): Effect.Effect<boolean>
  /**
   * Sets the members to the users that match the rules at `now` and those added by hand, and writes `user_count` and
   * `last_evaluated_at`, all in one transaction [E6]. Only memberships that differ are written. No row is locked while the
   * users are looked for; then those who enter and leave are locked, then the segment. Answers the count. Null, and nothing
   * is written, when by then the segment is gone or its rules are not those of `segment` any more. The caller has the lock
   * of the evaluation.
   */
  evaluate(segment: Pick<Segment, "id" | "rules">, rules: RuleGroup, now: Date): Effect.Effect<number | null>
  /** The users that match the rules at `now`. The sample has up to `sampleSize` of them. */
  preview(rules: RuleGroup, now: Date, sampleSize: number): Effect.Effect<SegmentPreview>
  /** A user's membership of a segment. */
  membership(segmentId: string, userId: string): Effect.Effect<Option.Option<SegmentMembership>>
}

/**
 * Adds and removes members of segments by hand. The same statement changes the `user_count` of the segments. Callers of `add`
 * and `remove` must first lock the users, then the segments, so that they cannot deadlock and no count is lost.
 */
export interface SegmentMembers {
  /** Locks the segments that exist, in the order of their ids, until the transaction ends. */
  lockSegments(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Pick<Segment, "id" | "is_system">>>
  /**
   * Makes all of the users members of all of the segments, by hand. Members by the rules become members by hand and keep
   * their `added_at`. An unknown segment or user is a defect.
   */
  add(segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>, at: Date): Effect.Effect<void>
  /** Removes all memberships of these users in these segments, by the rules or by hand. Other users are ignored. */
  remove(segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>): Effect.Effect<void>
}

/** A user, and the parsed rules that are to be matched against the user. */
export interface UserRules {
  readonly user_id: string
  readonly rules: ReadonlyArray<RuleGroup>
}

/** What rules read about users. */
export interface RuleFacts {
  /**
   * What rules read at `now` about those of the users who exist, with the same few statements for any number of users and rules.
   * Events are measured for the rules of their user; of everything else at least what anybody's rules mention is there. Streaks
   * are as they are stored. Users are named once.
   */
  read(users: ReadonlyArray<UserRules>, now: Date): Effect.Effect<ReadonlyArray<UserFacts>>
}

/** What a project's database has for segments. */
export interface SegmentsDb {
  readonly ruleFacts: RuleFacts
  readonly segments: Segments
  readonly segmentMembers: SegmentMembers
}
