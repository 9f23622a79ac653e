import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { achievementsContract } from "./contract.ts"
import { achievementsReaction } from "./reaction.ts"
import { userAchievementsSectionContract } from "./sections.contract.ts"
import { achievementRevocations, achievements, userAchievements } from "./tables.ts"

/** What every adapter promises about achievements. */
export const achievementsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, achievements),
    (open) => tableContract(open, userAchievements),
    (open) => tableContract(open, achievementRevocations),
    achievementsContract,
    (open) => reactionContract(open, achievementsReaction),
    userAchievementsSectionContract,
  ],
}
