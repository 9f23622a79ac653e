import { Struct } from "effect"
import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { ReferralClaimRow } from "./referral.ts"

/** The code that the user has redeemed. Who has redeemed the user's own code is told to nobody else, and whose a code was neither. */
export const referralClaimsSection: TableSection = {
  name: "referral_claims",
  owner: "claimer_id",
  key: ["id"],
  columns: describeColumns({ fields: Struct.omit(ReferralClaimRow.fields, ["referrer_id"]) }),
}
