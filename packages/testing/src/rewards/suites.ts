import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { givenRewards } from "./tables.ts"

/** What every adapter promises about rewards. */
export const rewardsSuites: FeatureSuites = {
  tenant: [(open) => tableContract(open, givenRewards)],
}
