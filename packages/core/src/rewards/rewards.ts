import { Effect, Result, Schema } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import { lockPurses } from "../currencies/change-wallets.ts"
import { answerOnce } from "../idempotency/answer-once.ts"
import type { IdempotencyDb } from "../idempotency/port.ts"
import { readByUseCase, readIssues } from "../own-issues.ts"
import type { Ports } from "../ports/ports.ts"
import { Prose } from "../schema.ts"
import { UserNotFound } from "../users/failures.ts"
import { checkReward } from "./check-reward.ts"
import { type GiveRewardsDb, makeGiveRewards } from "./give-rewards.ts"
import { GivenReward, givesNothing, InvalidReward, parseReward, type RewardParts, tellOfReward } from "./reward.ts"

const tellOfGift = tellOfReward("reward")

/** A reward that a developer gives. It is validated by the use case, because a bad one has a code of its own. */
export const NewReward = Schema.Struct({
  reward: readByUseCase((value) => readIssues(Result.mapError(parseReward(value), tellOfGift))),
  /** Kept with what it gives. */
  reason: Schema.optionalKey(Schema.NullOr(Prose)),
})
export type NewReward = typeof NewReward.Type

/** What was given. */
export const RewardGiven = Schema.Struct({ reward: GivenReward }).annotate({ identifier: "RewardGiven" })

type RewardsByHandDb = GiveRewardsDb & IdempotencyDb

/** Rewards by hand: how support makes good [G5.2]. */
export const makeRewards = (
  { clock, ids }: Pick<Ports, "clock" | "ids">,
  background: Pick<Dispatcher<RewardsByHandDb>, "transact">,
) => {
  const giveRewards = makeGiveRewards({ clock, ids })

  const give = Effect.fnUntraced(function* (
    db: RewardsByHandDb,
    app_user_id: string,
    parts: RewardParts,
    reason: string | null,
  ) {
    const known = yield* lockPurses(db, [app_user_id])
    if (known.size === 0) return yield* new UserNotFound()
    yield* Effect.mapError(checkReward(db, parts), tellOfGift)
    const gift = { app_user_id, reward: parts, cause: `rewards/${ids.uuid()}`, reference_id: reason }
    const [reward = { skipped: [] }] = yield* giveRewards(db, [{ ...gift, source: "admin" }], clock.now())
    return { reward }
  })

  return {
    /**
     * Gives a user a reward, once by `key`: the same key answers the same again [G5.2]. `USER_NOT_FOUND`; `INVALID_REWARD`;
     * `IDEMPOTENCY_KEY_REUSED` with another input [E5].
     */
    give: Effect.fn("rewards.give")(function* (
      projectId: string,
      userId: string,
      { reward, reason = null }: NewReward,
      key: string | null,
    ) {
      const parts = yield* Effect.mapError(Effect.fromResult(parseReward(reward)), tellOfGift)
      if (givesNothing(parts))
        return yield* new InvalidReward({ issues: [{ path: "reward", message: "must give something" }] })
      return yield* background.transact(projectId, (db) =>
        answerOnce(
          db,
          {
            ...{ operation: "rewards.give", caller: null, owner: userId, key },
            ...{ input: { user_id: userId, reward: reward as Schema.Json, reason } },
            ...{ answer: RewardGiven, now: clock.now() },
          },
          give(db, userId, parts, reason),
        ),
      )
    }),
  }
}
