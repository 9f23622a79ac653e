import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { onboardingFlowsContract, onboardingProgressContract, onboardingProgressSectionContract } from "./contract.ts"
import { onboardingFlows, onboardingProgress } from "./tables.ts"

/** What every adapter promises about onboarding. */
export const onboardingSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, onboardingFlows),
    (open) => tableContract(open, onboardingProgress),
    onboardingFlowsContract,
    onboardingProgressContract,
    onboardingProgressSectionContract,
  ],
}
