import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { segmentAgreementContract } from "./agreement.contract.ts"
import { segmentMembersContract } from "./members.contract.ts"
import { segmentRulesContract } from "./rules.contract.ts"
import { segmentMembershipsSectionContract } from "./sections.contract.ts"
import { segmentsContract } from "./segments.contract.ts"
import { segments } from "./tables.ts"

/** What every adapter promises about segments. */
export const segmentsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, segments),
    segmentMembersContract,
    segmentsContract,
    segmentRulesContract,
    segmentAgreementContract,
    segmentMembershipsSectionContract,
  ],
}
