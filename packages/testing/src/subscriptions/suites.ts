import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { subscriptionEventsContract } from "./contract.ts"
import { subscriptionStoriesContract } from "./stories.contract.ts"

/** What every adapter promises about subscriptions. */
export const subscriptionsSuites: FeatureSuites = {
  tenant: [subscriptionEventsContract, subscriptionStoriesContract],
}
