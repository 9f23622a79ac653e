import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { refusedCallsContract } from "./contract.ts"

/** What every adapter promises about refused calls. */
export const refusalsSuites: FeatureSuites = { control: [refusedCallsContract] }
