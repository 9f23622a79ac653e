import { Result, Schema, Struct } from "effect"
import { ListCursor } from "../list-cursor.ts"
import { readByUseCase, readIssues } from "../own-issues.ts"
import { GivenReward, parseReward, tellOfReward } from "../rewards/reward.ts"
import { Amount, Count, JsonObject, partial, Text, Timestamp, Uuid, withDefaults } from "../schema.ts"

const MaxUses = Schema.NullOr(Count.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })))

const rewards = {
  /** What the owner of the code is given for every claim; `{}` is nothing [G5.1]. */
  reward_referrer: JsonObject,
  /** What the claimer is given. */
  reward_referee: JsonObject,
  /** Null is no bound. */
  max_uses: MaxUses,
}

/** A code of a project (spec: referral code). Unique: `code`, and `app_user_id` where not null. */
export const ReferralCode = Schema.Struct({
  id: Uuid,
  code: Text,
  ...rewards,
  is_active: Schema.Boolean,
  /** Whose it is; null for one that a developer has made. */
  app_user_id: Schema.NullOr(Uuid),
  /** How often it was redeemed, also by users who are gone. */
  total_claims: Count,
  created_at: Timestamp,
}).annotate({ identifier: "ReferralCode" })
export type ReferralCode = typeof ReferralCode.Type

// Any value: a reward that is none has a code of its own, INVALID_REWARD.
const anyReward = (side: keyof typeof rewards) =>
  readByUseCase((value) => readIssues(Result.mapError(parseReward(value), tellOfReward(side))))
const given = {
  reward_referrer: anyReward("reward_referrer"),
  reward_referee: anyReward("reward_referee"),
  max_uses: MaxUses,
}

/** What a code is made with. Without `code` one is made up [G7.1]. */
export const NewReferralCode = Schema.Struct({
  code: Schema.optionalKey(
    Text.check(Schema.isPattern(/^[A-Za-z0-9-]{3,32}$/, { message: "must be 3 to 32 of A-Z, 0-9 and -" })),
  ),
  ...withDefaults(given, { reward_referrer: {}, reward_referee: {}, max_uses: null }),
}).annotate({ identifier: "NewReferralCode" })
export type NewReferralCode = typeof NewReferralCode.Type

/** The fields of a code that can be changed. Those left out stay. */
export const ReferralCodeChanges = Schema.Struct(partial({ ...given, is_active: Schema.Boolean })).annotate({
  identifier: "ReferralCodeChanges",
})
export type ReferralCodeChanges = typeof ReferralCodeChanges.Type

const conditions = {
  /** Whether only users with an email or an identity may redeem the codes of users. */
  require_account: Schema.Boolean,
  /** How old the account of a claimer may be; null is any age. */
  max_account_age_hours: Schema.NullOr(Amount.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))),
}

/** What the codes of users are made with, and who may redeem them [G7.2]. */
export const ReferralProgram = Schema.Struct({ ...rewards, ...conditions }).annotate({ identifier: "ReferralProgram" })
export type ReferralProgram = typeof ReferralProgram.Type

/** A program that takes the place of the one before. What is left out has its default. */
export const NewReferralProgram = Schema.Struct(
  withDefaults(
    { ...given, ...conditions },
    {
      ...{ reward_referrer: {}, reward_referee: {}, max_uses: null },
      ...{ require_account: false, max_account_age_hours: null },
    },
  ),
).annotate({ identifier: "NewReferralProgram" })
export type NewReferralProgram = typeof NewReferralProgram.Type

/** That a user has redeemed a code. Unique: `claimer_id`. It outlives the code and its owner. */
export const ReferralClaimRow = Schema.Struct({
  id: Uuid,
  claimer_id: Uuid,
  referral_code_id: Uuid,
  code: Text,
  /** Whose the code was; null for one of a developer. */
  referrer_id: Schema.NullOr(Uuid),
  /** What the claimer was given. */
  reward: JsonObject,
  claimed_at: Timestamp,
})
export type ReferralClaimRow = typeof ReferralClaimRow.Type

/** What somebody who redeems a code is answered [G7.3]. */
export const ReferralClaim = Schema.Struct({
  ...Struct.pick(ReferralClaimRow.fields, ["id", "referral_code_id", "code", "claimed_at"]),
  reward: GivenReward,
}).annotate({ identifier: "ReferralClaim" })

/** The code that a user redeems, in any case. */
export const RedeemRequest = Schema.Struct({ code: Text }).annotate({ identifier: "RedeemRequest" })

/** A user's own code. */
export const OwnReferralCode = Schema.Struct(Struct.pick(ReferralCode.fields, ["code", "total_claims"])).annotate({
  identifier: "OwnReferralCode",
})

/** Who has redeemed a code, the newest first [G7.4]. */
export const ReferralStats = Schema.Struct({
  referral_code: ReferralCode,
  total_claims: Count,
  claims: Schema.Array(Schema.Struct(Struct.pick(ReferralClaimRow.fields, ["id", "claimer_id", "claimed_at"]))),
  /** Where the claims are read on, where that was asked for; null after the last. */
  next_cursor: Schema.optionalKey(Schema.NullOr(ListCursor)),
}).annotate({ identifier: "ReferralStats" })
