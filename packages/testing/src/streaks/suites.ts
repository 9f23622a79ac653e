import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { streakPeriodsContract } from "./periods.contract.ts"
import { qualifyingEventsContract } from "./qualifying-events.contract.ts"
import { streaksReaction } from "./reaction.ts"
import { streakEventsSectionContract } from "./sections.contract.ts"
import { streakDefinitions, userStreaks } from "./tables.ts"
import { userStreaksContract } from "./user-streaks.contract.ts"

/** What every adapter promises about streaks. */
export const streaksSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, streakDefinitions),
    (open) => tableContract(open, userStreaks),
    userStreaksContract,
    (open) => reactionContract(open, streaksReaction),
    streakPeriodsContract,
    qualifyingEventsContract,
    streakEventsSectionContract,
  ],
}
