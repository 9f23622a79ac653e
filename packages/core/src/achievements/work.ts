import type { FeatureWork } from "../background/work.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { SegmentsDb } from "../segments/port.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { evaluateTopic, makeEvaluateHandler } from "./evaluate.ts"
import { makeAchievementsReaction } from "./reaction.ts"
import type { UnlockDb } from "./unlock.ts"

/**
 * The background work of achievements: unlocking what events and evaluations have made true. The reaction has no rebuild: it looks
 * at all of a user's events whenever one comes, and what is to be unlocked without that is evaluated on request [G1.3].
 */
export const makeAchievementsWork = (
  ports: Pick<Ports, "clock" | "ids">,
): FeatureWork<EventsDb & SegmentsDb & StreaksDb & UnlockDb> => ({
  reactions: [makeAchievementsReaction(ports)],
  handlers: { [evaluateTopic]: makeEvaluateHandler(ports) },
})
