import { Schema } from "effect"
import { Timestamp, Uuid } from "../schema.ts"

/** That a user is a member of a segment. Unique per segment and user; gone with either. */
export const SegmentMembership = Schema.Struct({
  segment_id: Uuid,
  app_user_id: Uuid,
  /** Added by hand: stays, whatever the rules say, until it is removed by hand. */
  is_manual: Schema.Boolean,
  added_at: Timestamp,
}).annotate({ identifier: "SegmentMembership" })
export type SegmentMembership = typeof SegmentMembership.Type
