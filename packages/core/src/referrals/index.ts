export {
  AlreadyRedeemed,
  CodeExhausted,
  CodeInactive,
  CodeNotFound,
  ReferralCodeExists,
  ReferralNotEligible,
  SelfReferral,
} from "./failures.ts"
export type { ReferralCodes, ReferralPrograms, ReferralsDb } from "./port.ts"
export { makeRedeem } from "./redeem.ts"
export {
  NewReferralCode,
  NewReferralProgram,
  OwnReferralCode,
  RedeemRequest,
  ReferralClaim,
  ReferralClaimRow,
  ReferralCode,
  ReferralCodeChanges,
  ReferralProgram,
  ReferralStats,
} from "./referral.ts"
export { makeReferrals } from "./referrals.ts"
export { referralClaimsSection } from "./sections.ts"
