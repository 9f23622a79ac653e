import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { deadLettersContract } from "./dead-letters.contract.ts"
import { jobsContract } from "./jobs.contract.ts"
import { notedJobsContract } from "./noted-jobs.contract.ts"
import { outboxContract } from "./outbox.contract.ts"
import { introducedReactionsContract, workersContract } from "./workers.contract.ts"

/** What every adapter promises about background. */
export const backgroundSuites: FeatureSuites = {
  tenant: [outboxContract, deadLettersContract, introducedReactionsContract],
  control: [jobsContract, notedJobsContract, workersContract],
}
