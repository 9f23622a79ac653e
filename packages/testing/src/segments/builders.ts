import type { SegmentRow } from "@hearth/core/segments"
import { builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** A segment of all users, made by hand. */
export const aSegment = (given: Given<SegmentRow> = {}): SegmentRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    name: `Segment ${n}`,
    description: null,
    rules: { operator: "AND", conditions: [] },
    is_system: false,
    user_count: 0,
    last_evaluated_at: null,
    created_at: new Date(builtAt),
    campaign_id: null,
    ...given,
  }
}
