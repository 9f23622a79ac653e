import type { ModerationDb } from "@hearth/core/moderation"
import type { TenantFeature } from "../feature.ts"
import { memoryModeration, moderationSections, moderationShapes } from "./memory.ts"

/** What there is in tests of moderation. */
export const moderationFeature: TenantFeature<ModerationDb> = {
  tenant: {
    shapes: moderationShapes,
    sections: moderationSections,
    make: ({ statements }) => memoryModeration(statements),
  },
}
