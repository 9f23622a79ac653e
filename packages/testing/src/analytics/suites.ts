import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { activeDaysContract } from "./active-days.contract.ts"
import { figuresContract } from "./figures.contract.ts"
import { analyticsReaction } from "./reaction.ts"
import { sessionFiguresContract } from "./session-figures.contract.ts"

/** What every adapter promises about analytics. */
export const analyticsSuites: FeatureSuites = {
  tenant: [
    activeDaysContract,
    sessionFiguresContract,
    figuresContract,
    (open) => reactionContract(open, analyticsReaction),
  ],
}
