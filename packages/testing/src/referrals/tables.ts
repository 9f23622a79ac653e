import type { TenantDb } from "@hearth/core"
import type { ReferralClaimRow, ReferralCode } from "@hearth/core/referrals"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, instantsInOrder } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aReferralClaim, aReferralCode } from "./builders.ts"

/** The table of codes. */
export const referralCodes: TableCase<TenantDb, ReferralCode> = {
  name: "referral codes",
  table: (db) => db.referralCodes,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aReferralCode({ app_user_id: yield* writeUser(db), ...given })
  }),
  samples: [
    {
      ...{ reward_referrer: awkwardJson, reward_referee: awkwardJson, max_uses: 2_147_483_647, is_active: false },
      ...{ total_claims: 2_147_483_647, created_at: awkwardInstant },
    },
    { code: awkwardText, max_uses: null, app_user_id: null },
  ],
  unique: [["code"], ["app_user_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "max_uses", ascending: [1, 2, 2_147_483_647] },
}

/** The table of claims. */
export const referralClaims: TableCase<TenantDb, ReferralClaimRow> = {
  name: "referral claims",
  table: (db) => db.referralClaims,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aReferralClaim({ ...given, claimer_id: given.claimer_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    { code: awkwardText, reward: awkwardJson, claimed_at: awkwardInstant, referrer_id: anId() },
    { referrer_id: null, reward: {} },
  ],
  unique: [["claimer_id"]],
  sorting: { column: "claimed_at", ascending: instantsInOrder },
}
