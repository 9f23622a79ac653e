import type { FeedsDb } from "@hearth/core/feeds"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { feedItemsContract } from "./contract.ts"
import { feedItemShape, feedRuleShape, memoryFeeds } from "./memory.ts"
import { feedReaction } from "./reaction.ts"
import { readFeedContract } from "./read-feed.contract.ts"
import { feedItems, feedItemsSectionContract, feedRules } from "./tables.ts"

/** Feeds in tests: tables and repositories in memory, contract suites. */
export const feedsFeature: TenantFeature<FeedsDb> = {
  tenant: {
    shapes: [feedRuleShape, feedItemShape],
    sections: { feed_items: feedItemShape },
    make: ({ statements }) => memoryFeeds(statements),
    contracts: [
      (open) => tableContract(open, feedRules),
      (open) => tableContract(open, feedItems),
      feedItemsContract,
      readFeedContract,
      feedItemsSectionContract,
      (open) => reactionContract(open, feedReaction),
    ],
  },
}
