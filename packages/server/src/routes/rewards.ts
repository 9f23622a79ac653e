import { IdempotencyKeyReused } from "@hearth/core/idempotency"
import { InvalidReward, NewReward, RewardGiven, RewardInput } from "@hearth/core/rewards"
import { UserNotFound } from "@hearth/core/users"
import { Schema } from "effect"
import { created } from "../http/response/answers.ts"
import { idempotencyKey } from "./idempotency-key.ts"
import { route } from "./route.ts"

/** Rewards by hand [G5.2]. */
export const rewardRoutes = [
  route("POST", "/admin/projects/:projectId/users/:userId/rewards", {
    id: "users.rewards.give",
    summary: "Gives a user a reward: currencies, XP, items, entitlements",
    description:
      "How support makes good. Every part is clamped as usual, and the answer says what was given. With an `Idempotency-Key` it is given once.",
    access: "developer",
    headers: idempotencyKey,
    body: NewReward,
    bodyShape: Schema.Struct({ ...NewReward.fields, reward: RewardInput }).annotate({ identifier: "NewReward" }),
    errors: [InvalidReward, UserNotFound, IdempotencyKeyReused],
    returns: created(RewardGiven),
    run: ({ core, params, body, headers }) =>
      core.rewards.give(params.projectId, params.userId, body, headers["Idempotency-Key"] ?? null),
  }),
]
