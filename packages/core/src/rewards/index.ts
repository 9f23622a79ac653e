export { GivenRewardRow, type RewardsDb } from "./port.ts"
export { GivenReward, givesNothing, InvalidReward, parseReward, RewardInput, type RewardParts } from "./reward.ts"
