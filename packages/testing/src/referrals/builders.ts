import type { ReferralClaimRow, ReferralCode, ReferralProgram } from "@hearth/core/referrals"
import { anId, builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** A developer's code without rewards. */
export const aReferralCode = (given: Partial<ReferralCode> = {}): ReferralCode => {
  const n = nextNumber()
  return {
    id: makeId(n),
    code: `CODE-${n}`,
    reward_referrer: {},
    reward_referee: {},
    max_uses: null,
    is_active: true,
    app_user_id: null,
    total_claims: 0,
    created_at: new Date(builtAt),
    ...given,
  }
}

/** A claim of a developer's code. */
export const aReferralClaim = (given: Given<ReferralClaimRow, "claimer_id">): ReferralClaimRow => ({
  id: makeId(nextNumber()),
  referral_code_id: anId(),
  code: "WELCOME",
  referrer_id: null,
  reward: {},
  claimed_at: new Date(builtAt),
  ...given,
})

/** A program that gives nothing. */
export const aReferralProgram = (given: Partial<ReferralProgram> = {}): ReferralProgram => ({
  ...{ reward_referrer: {}, reward_referee: {}, max_uses: null, require_account: false, max_account_age_hours: null },
  ...given,
})
