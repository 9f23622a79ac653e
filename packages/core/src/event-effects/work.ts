import { Effect } from "effect"
import type { FeatureWork, ProjectTask } from "../background/work.ts"
import type { LeaderboardsDb } from "../leaderboards/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { XpDb } from "../xp/port.ts"
import { keptMillis } from "./await-effects.ts"
import { makeCollectEffects } from "./collect-effects.ts"
import type { EventEffectsDb } from "./port.ts"

const sliceSize = 1_000
// Nobody is shown them in between: so projects with many of them are not looked at all the time.
const graceMillis = 3_600_000

const makeForget = ({ clock }: Pick<Ports, "clock">): ProjectTask<EventEffectsDb> => ({
  name: "event-effects.forget",
  runNext: (db) =>
    Effect.map(
      db.eventEffects.forget(new Date(clock.now().getTime() - keptMillis), sliceSize),
      (removed) => removed === sliceSize,
    ),
  nextRunAt: (db) =>
    Effect.map(db.eventEffects.oldest(), (oldest) =>
      oldest === null ? null : new Date(oldest.getTime() + keptMillis + graceMillis),
    ),
})

/** The background work of what events did: it is put together last, and forgotten after a day [G9.1]. */
export const makeEventEffectsWork = (
  ports: Pick<Ports, "clock">,
): FeatureWork<EventEffectsDb & LeaderboardsDb & XpDb> => ({
  reactions: [makeCollectEffects(ports)],
  tasks: [makeForget(ports)],
})
