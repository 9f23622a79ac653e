import { failure } from "../failure.ts"

/** A code of this text exists. */
export class ReferralCodeExists extends failure(
  "ReferralCodeExists",
  "conflict",
  "CODE_EXISTS",
  "There is a referral code of this text.",
) {}

/** The text is no code of the project. */
export class CodeNotFound extends failure("CodeNotFound", "not_found", "CODE_NOT_FOUND", "There is no such code.") {}

/** The code is switched off, or its owner is disabled. */
export class CodeInactive extends failure("CodeInactive", "conflict", "CODE_INACTIVE", "The code is not active.") {}

/** The project's program does not let this user redeem the codes of other users [G7.2]. */
export class ReferralNotEligible extends failure(
  "ReferralNotEligible",
  "forbidden",
  "NOT_ELIGIBLE",
  "This is not open to the user.",
) {}

/** The code is the caller's own, or that of a user whom the caller has referred [G7.3]. */
export class SelfReferral extends failure(
  "SelfReferral",
  "conflict",
  "SELF_REFERRAL",
  "Two users cannot refer each other, nor can one refer themselves.",
) {}

/** The user has redeemed a code before. */
export class AlreadyRedeemed extends failure(
  "AlreadyRedeemed",
  "conflict",
  "ALREADY_REDEEMED",
  "The user has redeemed a code before.",
) {}

/** The code was redeemed as often as it may be. */
export class CodeExhausted extends failure(
  "CodeExhausted",
  "conflict",
  "CODE_EXHAUSTED",
  "The code was redeemed as often as it may be.",
) {}
