import type { SegmentsDb } from "@hearth/core/segments"
import type { TenantFeature } from "../feature.ts"
import { any, fields, instant, keepList, limit, uuid } from "../memory/arguments.ts"
import { memorySegments } from "./memory.ts"
import { memoryRuleFacts } from "./memory-described-users.ts"
import { memorySegmentMembers } from "./memory-members.ts"
import { membershipShape, segmentShape } from "./memory-shapes.ts"

/** Segments in tests: tables and repositories in memory. */
export const segmentsFeature: TenantFeature<SegmentsDb> = {
  tenant: {
    shapes: [segmentShape, membershipShape],
    sections: { segment_memberships: membershipShape },
    rules: {
      ruleFacts: { read: [keepList(fields({ user_id: uuid })), instant] },
      segments: { lockEvaluation: [uuid], preview: [any, instant, limit], membership: [uuid, uuid] },
      segmentMembers: { lockSegments: [keepList(uuid)], remove: [keepList(uuid), keepList(uuid)] },
    },
    make: ({ statements }) => ({
      ruleFacts: memoryRuleFacts(statements),
      segments: memorySegments(statements),
      segmentMembers: memorySegmentMembers(statements),
    }),
  },
}
