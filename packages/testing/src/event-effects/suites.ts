import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { eventEffectsContract } from "./contract.ts"

/** What every adapter promises about event effects. */
export const eventEffectsSuites: FeatureSuites = {
  tenant: [eventEffectsContract],
}
