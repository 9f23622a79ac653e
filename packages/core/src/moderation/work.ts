import { Effect, Option } from "effect"
import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import { makeSweep } from "../retention/sweep.ts"
import type { ModerationDb } from "./port.ts"

/** The background work of moderation: resolved items are kept for `keepDays` days [I0.3]. */
export const makeModerationWork = (ports: Pick<Ports, "clock">, keepDays: number): FeatureWork<ModerationDb> => ({
  tasks: [
    makeSweep(ports, {
      name: "moderation.remove-resolved",
      keepDays,
      port: (db: ModerationDb) => ({
        removeOld: (before, limit) => db.moderationQueue.removeResolved(before, limit),
        oldest: () => Effect.map(db.moderationQueue.firstResolvedAt(), Option.getOrNull),
      }),
    }),
  ],
})
