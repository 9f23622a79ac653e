import { Effect, Option } from "effect"
import type { Sweepable } from "../../retention/sweep.ts"
import type { PushDb } from "../port.ts"

// A project may have many campaigns with few deliveries each, as tests of pushes are.
const campaignsAtOnce = 50

/** Deliveries by the end of their campaign: they are kept for a time after it [I0.3]. Its statistics stay. */
export const passingDeliveries = (db: PushDb): Sweepable => ({
  removeOld: Effect.fnUntraced(function* (before, limit) {
    let removed = 0
    for (let campaigns = 0; campaigns < campaignsAtOnce; campaigns += 1) {
      const found = Option.getOrNull(yield* db.pushStats.oldestKept())
      if (found === null || found.ended_at >= before) return removed
      removed += yield* db.pushDeliveries.forget(found.campaign_id, limit - removed)
      if (removed >= limit) return limit
      yield* db.pushStats.markForgotten(found.campaign_id)
    }
    return limit
  }),
  oldest: () => Effect.map(db.pushStats.oldestKept(), (found) => Option.getOrNull(found)?.ended_at ?? null),
})
