import { Effect, Result } from "effect"
import { checkReward } from "../rewards/check-reward.ts"
import { parseReward, tellOfReward } from "../rewards/reward.ts"
import type { JsonObject } from "../schema.ts"

/** What checking needs of a project's database. */
export type CheckRewardsDb = Parameters<typeof checkReward>[0]

type Side = "reward_referrer" | "reward_referee"

/** Those of the rewards of both sides that are given, as they are to be stored: as they were sent [G5.1]. */
export const checkRewards = Effect.fnUntraced(function* <Given extends Partial<Readonly<Record<Side, unknown>>>>(
  db: CheckRewardsDb,
  given: Given,
) {
  const checked: Array<[Side, JsonObject]> = []
  for (const side of ["reward_referrer", "reward_referee"] as const) {
    const reward = given[side]
    if (reward === undefined) continue
    const parts = parseReward(reward)
    if (Result.isFailure(parts)) return yield* tellOfReward(side)(parts.failure)
    yield* Effect.mapError(checkReward(db, parts.success), tellOfReward(side))
    // It was parsed, so it is an object, and it came as JSON.
    checked.push([side, reward as JsonObject])
  }
  return Object.fromEntries(checked) as { readonly [Name in Side & keyof Given]: JsonObject }
})
