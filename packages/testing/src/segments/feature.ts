import type { SegmentsDb } from "@hearth/core/segments"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { segmentAgreementContract } from "./agreement.contract.ts"
import { segmentMembersContract } from "./members.contract.ts"
import { memorySegments } from "./memory.ts"
import { memoryRuleFacts } from "./memory-described-users.ts"
import { memorySegmentMembers } from "./memory-members.ts"
import { membershipShape, segmentShape } from "./memory-shapes.ts"
import { segmentRulesContract } from "./rules.contract.ts"
import { segmentMembershipsSectionContract } from "./sections.contract.ts"
import { segmentsContract } from "./segments.contract.ts"
import { segments } from "./tables.ts"

/** Segments in tests: tables and repositories in memory, contract suites. */
export const segmentsFeature: TenantFeature<SegmentsDb> = {
  tenant: {
    shapes: [segmentShape, membershipShape],
    sections: { segment_memberships: membershipShape },
    make: ({ statements }) => ({
      ruleFacts: memoryRuleFacts(statements),
      segments: memorySegments(statements),
      segmentMembers: memorySegmentMembers(statements),
    }),
    contracts: [
      (open) => tableContract(open, segments),
      segmentMembersContract,
      segmentsContract,
      segmentRulesContract,
      segmentAgreementContract,
      segmentMembershipsSectionContract,
    ],
  },
}
