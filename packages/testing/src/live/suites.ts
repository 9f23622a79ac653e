import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { liveProjectContract, liveUsersContract } from "./contract.ts"

/** What every adapter promises about streams. */
export const liveSuites: FeatureSuites = { tenant: [liveUsersContract, liveProjectContract] }
