import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { SegmentMembership } from "./membership.ts"

/** The segments that the user is in. */
export const segmentMembershipsSection: TableSection = {
  name: "segment_memberships",
  key: ["segment_id"],
  columns: describeColumns(SegmentMembership),
}
