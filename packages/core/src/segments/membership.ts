import { Schema } from "effect"
import { Timestamp, Uuid } from "../schema.ts"

/** A user's membership of a segment. Unique per segment and user; removed with either. */
export const SegmentMembership = Schema.Struct({
  segment_id: Uuid,
  app_user_id: Uuid,
  /** Whether it was added by hand. Then it stays, whatever the rules match, until it is removed by hand. */
  is_manual: Schema.Boolean,
  added_at: Timestamp,
}).annotate({ identifier: "SegmentMembership" })
export type SegmentMembership = typeof SegmentMembership.Type
