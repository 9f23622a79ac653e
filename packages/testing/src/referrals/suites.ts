import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { referralClaimsSectionContract, referralsContract } from "./contract.ts"
import { referralClaims, referralCodes } from "./tables.ts"

/** What every adapter promises about referrals. */
export const referralsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, referralCodes),
    (open) => tableContract(open, referralClaims),
    referralsContract,
    referralClaimsSectionContract,
  ],
}
