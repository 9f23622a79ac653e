import type { EventHead } from "../background/reaction.ts"
import type { StreakDefinition } from "./definition.ts"
import type { UserStreak } from "./user-streak.ts"
/** The events of one user that count for one definition, in the order in which they occurred. */
export interface StreakEvents {
  readonly definition: StreakDefinition
  readonly streak: UserStreak
  readonly zone: string | null
  readonly events: ReadonlyArray<EventHead>
}
