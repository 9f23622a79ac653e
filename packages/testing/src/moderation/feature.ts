import type { ModerationDb } from "@hearth/core/moderation"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { moderationContract } from "./contract.ts"
import { memoryModeration, moderationSections, moderationShapes } from "./memory.ts"
import { moderationReports, moderationRules, queueItems } from "./tables.ts"

/** What there is in tests of moderation. */
export const moderationFeature: TenantFeature<ModerationDb> = {
  tenant: {
    shapes: moderationShapes,
    sections: moderationSections,
    make: ({ statements }) => memoryModeration(statements),
    contracts: [
      (open) => tableContract(open, moderationRules),
      (open) => tableContract(open, queueItems),
      (open) => tableContract(open, moderationReports),
      moderationContract,
    ],
  },
}
