import type { Ids } from "../ports/ids.ts"
import type { UserRow } from "../users/user.ts"
import { AlreadyRedeemed, CodeExhausted, CodeInactive, ReferralNotEligible, SelfReferral } from "./failures.ts"
import type { ReferralClaimRow, ReferralCode, ReferralProgram } from "./referral.ts"

const pattern = /^[A-Za-z0-9-]{3,32}$/

/** A code as it is stored; null for text that is none. Only ASCII: other letters could become others in upper case. */
export const readCode = (text: string): string | null => (pattern.test(text) ? text.toUpperCase() : null)

// Without I, L, O, 0 and 1, which are taken for each other.
const letters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

/** A code that nobody has thought of: 8 characters without look-alikes [G7.1]. */
export const makeUpCode = ({ integer }: Pick<Ids, "integer">): string =>
  Array.from({ length: 8 }, () => letters[integer(letters.length)]).join("")

/** What the codes of users are made with before anybody has said. */
export const emptyProgram: ReferralProgram = {
  ...{ reward_referrer: {}, reward_referee: {}, max_uses: null },
  ...{ require_account: false, max_account_age_hours: null },
}

/** All that decides whether a user may redeem a code. */
export interface Redemption {
  readonly code: Pick<ReferralCode, "is_active" | "app_user_id" | "max_uses" | "total_claims">
  readonly claimer: Pick<UserRow, "id" | "email" | "auth_providers" | "created_at">
  /** The owner of the code; null for a developer's. */
  readonly owner: Pick<UserRow, "is_disabled"> | null
  readonly program: Pick<ReferralProgram, "require_account" | "max_account_age_hours">
  /** The claim that the claimer has made before. */
  readonly earlier: Pick<ReferralClaimRow, "id"> | null
  /** The claim that the owner has made before. */
  readonly of_owner: Pick<ReferralClaimRow, "referrer_id"> | null
  readonly now: Date
}

const isEligible = ({ claimer, program, now }: Redemption): boolean => {
  const { require_account, max_account_age_hours: hours } = program
  const hasAccount = claimer.email !== null || claimer.auth_providers.length > 0
  const isYoung = hours === null || now.getTime() - claimer.created_at.getTime() <= hours * 3_600_000
  return isYoung && (hasAccount || !require_account)
}

/** Why a code cannot be redeemed, the first reason in the order of [G7.3]; null where it can. */
export const findRefusal = (redemption: Redemption) => {
  const { code, claimer, owner, earlier, of_owner } = redemption
  if (!code.is_active || owner?.is_disabled === true) return new CodeInactive()
  if (owner !== null && !isEligible(redemption)) return new ReferralNotEligible()
  if (code.app_user_id === claimer.id || of_owner?.referrer_id === claimer.id) return new SelfReferral()
  if (earlier !== null) return new AlreadyRedeemed()
  if (code.max_uses !== null && code.total_claims >= code.max_uses) return new CodeExhausted()
  return null
}
