import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { idempotentAnswersContract } from "./contract.ts"

/** What every adapter promises about idempotency. */
export const idempotencySuites: FeatureSuites = {
  tenant: [idempotentAnswersContract],
}
