import type { Segment, SegmentMembership } from "@hearth/core"
import { shapeOf } from "../memory/shape.ts"

/** The table of segments. */
export const segmentShape = shapeOf<Segment>("segments", {
  id: "uuid",
  name: "text",
  description: "text?",
  rules: "json",
  is_system: "boolean",
  user_count: "count",
  last_evaluated_at: "instant?",
  created_at: "instant",
})

interface StoredMembership extends SegmentMembership {
  /** Made of segment and user: `<segment_id>/<app_user_id>`. */
  readonly id: string
}

/** The table of the members of segments. */
export const membershipShape = shapeOf<StoredMembership>(
  "segment memberships",
  { id: "text", segment_id: "uuid", app_user_id: "uuid", is_manual: "boolean", added_at: "instant" },
  { parents: { segment_id: "segments", app_user_id: "users" } },
)
