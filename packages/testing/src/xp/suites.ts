import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { xpDaysContract, xpEntriesContract, xpSettingsContract, xpTotalsContract } from "./contract.ts"
import { xpReaction } from "./reaction.ts"
import { xpEntries, xpEntriesSectionContract } from "./tables.ts"

/** What every adapter promises about xp. */
export const xpSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, xpEntries),
    xpEntriesContract,
    xpTotalsContract,
    xpDaysContract,
    xpSettingsContract,
    xpEntriesSectionContract,
    (open) => reactionContract(open, xpReaction),
  ],
}
