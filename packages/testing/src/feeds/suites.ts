import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { feedItemsContract } from "./contract.ts"
import { feedReaction } from "./reaction.ts"
import { readFeedContract } from "./read-feed.contract.ts"
import { feedItems, feedItemsSectionContract, feedRules } from "./tables.ts"

/** What every adapter promises about feeds. */
export const feedsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, feedRules),
    (open) => tableContract(open, feedItems),
    feedItemsContract,
    readFeedContract,
    feedItemsSectionContract,
    (open) => reactionContract(open, feedReaction),
  ],
}
