import type { FeedsDb } from "@hearth/core/feeds"
import type { TenantFeature } from "../feature.ts"
import { feedItemShape, feedRuleShape, memoryFeeds } from "./memory.ts"

/** Feeds in tests: tables and repositories in memory. */
export const feedsFeature: TenantFeature<FeedsDb> = {
  tenant: {
    shapes: [feedRuleShape, feedItemShape],
    sections: { feed_items: feedItemShape },
    make: ({ statements }) => memoryFeeds(statements),
  },
}
