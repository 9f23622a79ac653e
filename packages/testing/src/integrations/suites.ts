import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { integrationsContract, integrationsTable } from "./contract.ts"

/** What every adapter promises about integrations. */
export const integrationsSuites: FeatureSuites = {
  control: [integrationsTable, integrationsContract],
}
