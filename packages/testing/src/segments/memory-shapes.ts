import { Text } from "@hearth/core"
import { SegmentMembership, SegmentRow } from "@hearth/core/segments"
import { Schema } from "effect"
import { describeTable } from "../memory/shape.ts"

/** The table of segments. */
export const segmentShape = describeTable("segments", SegmentRow, {
  unique: [["campaign_id"]],
  parents: { campaign_id: "push campaigns" },
})

/** The table of the members of segments. The id is made of segment and user: `<segment_id>/<app_user_id>`. */
export const membershipShape = describeTable(
  "segment memberships",
  Schema.Struct({ id: Text, ...SegmentMembership.fields }),
  { parents: { segment_id: "segments", app_user_id: "users" } },
)
