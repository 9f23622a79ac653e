import type { ModerationDb } from "@hearth/core/moderation"
import type { TenantFeature } from "../feature.ts"
import { any, instant, limit, orNull, place, slice, uuid } from "../memory/arguments.ts"
import { memoryModeration, moderationSections, moderationShapes } from "./memory.ts"

/** What there is in tests of moderation. */
export const moderationFeature: TenantFeature<ModerationDb> = {
  tenant: {
    shapes: moderationShapes,
    sections: moderationSections,
    rules: {
      moderationQueue: {
        show: [uuid, orNull(uuid)],
        pageShown: [any, slice],
        listShownAfter: [any, place, slice],
        removeResolved: [instant, limit],
      },
      trustLevels: { find: [uuid], page: [slice], listAfter: [place, slice] },
    },
    make: ({ statements }) => memoryModeration(statements),
  },
}
