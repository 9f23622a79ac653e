import type { SegmentsDb } from "@hearth/core/segments"
import type { TenantFeature } from "../feature.ts"
import { memorySegments } from "./memory.ts"
import { memoryRuleFacts } from "./memory-described-users.ts"
import { memorySegmentMembers } from "./memory-members.ts"
import { membershipShape, segmentShape } from "./memory-shapes.ts"

/** Segments in tests: tables and repositories in memory. */
export const segmentsFeature: TenantFeature<SegmentsDb> = {
  tenant: {
    shapes: [segmentShape, membershipShape],
    sections: { segment_memberships: membershipShape },
    make: ({ statements }) => ({
      ruleFacts: memoryRuleFacts(statements),
      segments: memorySegments(statements),
      segmentMembers: memorySegmentMembers(statements),
    }),
  },
}
