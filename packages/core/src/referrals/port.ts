import type { Effect, Option } from "effect"
import type { Table } from "../ports/table.ts"
import type { ReferralClaimRow, ReferralCode, ReferralProgram } from "./referral.ts"

/** The codes of a project. Unique: `code`, and `app_user_id` where not null. A user's code is removed with the user. */
export interface ReferralCodes extends Table<ReferralCode> {
  /** Writes a code, unless there is one of its text. Answers whether it was written. */
  insertNew(row: ReferralCode): Effect.Effect<boolean>
}

/** What the codes of users are made with: there is one row, or none yet. */
export interface ReferralPrograms {
  find(): Effect.Effect<Option.Option<ReferralProgram>>
  save(program: ReferralProgram): Effect.Effect<void>
}

/** What a project's database has for referrals. */
export interface ReferralsDb {
  readonly referralCodes: ReferralCodes
  readonly referralPrograms: ReferralPrograms
  /** Unique: `claimer_id`. Removed with the claimer, but neither with the code nor with its owner. */
  readonly referralClaims: Table<ReferralClaimRow>
}
