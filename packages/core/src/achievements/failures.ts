import { failure } from "../failure.ts"

/** The criteria are not a valid tree. `details.issues` is `[{ path, message }]`, at most 100 of them. */
export class InvalidCriteria extends failure(
  "InvalidCriteria",
  "invalid",
  "INVALID_CRITERIA",
  "The criteria of the achievement are not valid.",
) {}

/** The key is taken in this project. */
export class AchievementKeyExists extends failure(
  "AchievementKeyExists",
  "conflict",
  "KEY_EXISTS",
  "There is an achievement of this key.",
) {}

/** The achievement is not active, so nobody unlocks it. */
export class AchievementInactive extends failure(
  "AchievementInactive",
  "conflict",
  "INACTIVE",
  "The achievement is not active.",
) {}
