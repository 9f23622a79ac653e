import type { SegmentsDb } from "@hearth/core/segments"
import type { TenantFeature } from "../feature.ts"
import { User } from "../users/entities.ts"
import { Segment, SegmentMembership } from "./entities.ts"
import { makeRuleFacts } from "./rule-facts.ts"
import { makeSegmentMembers } from "./segment-members.ts"
import { makeSegments } from "./segments.ts"

/** Segments in PostgreSQL: tables and repositories. */
export const segmentsFeature: TenantFeature<SegmentsDb> = {
  tenant: {
    entities: [Segment, SegmentMembership],
    repositories: {
      ruleFacts: (statements, shapes) => makeRuleFacts(statements, shapes(User)),
      segments: (statements, shapes) => makeSegments(statements, { Segment: shapes(Segment), User: shapes(User) }),
      segmentMembers: makeSegmentMembers,
    },
  },
}
