import type { Effect } from "effect"
import type { Segment } from "../segments/segment.ts"

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
