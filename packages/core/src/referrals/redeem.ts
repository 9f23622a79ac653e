import { Effect, Option, Schema } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import { lockPurses } from "../currencies/change-wallets.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { type Gift, type GiveRewardsDb, makeGiveRewards } from "../rewards/give-rewards.ts"
import { GivenReward, readStoredReward } from "../rewards/reward.ts"
import type { JsonObject } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { AlreadyRedeemed, CodeNotFound } from "./failures.ts"
import type { ReferralsDb } from "./port.ts"
import type { ReferralClaimRow, ReferralCode } from "./referral.ts"
import { emptyProgram, findRefusal, readCode } from "./rules.ts"

type Db = GiveRewardsDb & ReferralsDb & UsersDb

const encodeGiven = Schema.encodeSync(GivenReward)

/** Reads a code that may be redeemed, with its users, their purses and itself locked in this order [G0.5]. */
const lockRedeemable = Effect.fnUntraced(function* (db: Db, userId: string, text: string, now: Date) {
  // Whose it is never changes, so the users can be locked before the code.
  const seen = yield* orFail(db.referralCodes.find({ code: text }), CodeNotFound)
  yield* lockPurses(db, [...new Set([userId, seen.app_user_id ?? userId])])
  // Those who are gone by now are not locked, and not found.
  const claimer = yield* orFail(db.users.find({ id: userId }), InvalidToken)
  const code = yield* orFail(db.referralCodes.lock(seen.id), CodeNotFound)
  const ownerId = code.app_user_id
  const owner = ownerId === null ? null : yield* orFail(db.users.find({ id: ownerId }), CodeNotFound)
  const program = Option.getOrElse(yield* db.referralPrograms.find(), () => emptyProgram)
  const earlier = Option.getOrNull(yield* db.referralClaims.find({ claimer_id: userId }))
  const of_owner = ownerId === null ? null : Option.getOrNull(yield* db.referralClaims.find({ claimer_id: ownerId }))
  const refusal = findRefusal({ code, claimer, owner, program, earlier, of_owner, now })
  return refusal === null ? code : yield* refusal
})

/**
 * Redeems a code for a user: both are given their rewards, and nothing is given where anything fails [G7.3]. Codes that are not
 * there are counted before they are tried [G7.2].
 */
export const makeRedeem = (
  { clock, ids }: Pick<Ports, "clock" | "ids">,
  background: Pick<Dispatcher<Db>, "transact">,
  limits: Pick<Limits, "unknownCode">,
) => {
  const giveRewards = makeGiveRewards({ clock, ids })

  /** Gives both their rewards. Answers what the claimer was given. */
  const giveBoth = Effect.fnUntraced(function* (db: Db, claim: Omit<ReferralClaimRow, "reward">, code: ReferralCode) {
    const gift = (app_user_id: string, reward: ReferralCode["reward_referee"], side: string): Gift => ({
      ...{ app_user_id, reward: readStoredReward(reward), source: "referral", reference_id: claim.id },
      cause: `referrals/${claim.id}/${side}`,
    })
    const own = gift(claim.claimer_id, code.reward_referee, "referee")
    const theirs = claim.referrer_id === null ? [] : [gift(claim.referrer_id, code.reward_referrer, "referrer")]
    const [given = { skipped: [] }] = yield* giveRewards(db, [own, ...theirs], claim.claimed_at)
    return given
  })

  const tell = (db: EventsDb, { id, claimer_id, referrer_id, code, claimed_at }: ReferralClaimRow) => {
    const event = (app_user_id: string, event_name: string, properties: JsonObject) => ({
      ...{ id: ids.uuid(), app_user_id, event_name, occurred_at: claimed_at },
      properties: { code, ...properties },
      cause_key: `referrals/${id}/${event_name}`,
    })
    const redeemed = event(claimer_id, "referral_redeemed", { referrer_id })
    const rewarded = referrer_id === null ? [] : [event(referrer_id, "referral_rewarded", { claimer_id })]
    return db.events.insertCaused([redeemed, ...rewarded])
  }

  return Effect.fn("referrals.redeem")(function* (projectId: string, userId: string, given: string) {
    const redeem = background.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        const text = readCode(given)
        if (text === null) return yield* new CodeNotFound()
        const now = clock.now()
        const code = yield* lockRedeemable(db, userId, text, now)
        const claim = {
          ...{ id: ids.uuid(), claimer_id: userId, referral_code_id: code.id, code: code.code },
          ...{ referrer_id: code.app_user_id, claimed_at: now },
        }
        const reward = yield* giveBoth(db, claim, code)
        const row: ReferralClaimRow = { ...claim, reward: encodeGiven(reward) as JsonObject }
        yield* Effect.mapError(db.referralClaims.insert(row), () => new AlreadyRedeemed())
        yield* Effect.orDie(db.referralCodes.update(code.id, { total_claims: code.total_claims + 1 }))
        yield* tell(db, row)
        return { ...row, reward }
      }),
    )
    return yield* limits.unknownCode(projectId, userId)(redeem)
  })
}
