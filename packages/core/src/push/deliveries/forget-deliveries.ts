import { Effect, Option } from "effect"
import type { ProjectTask } from "../../background/work.ts"
import type { Ports } from "../../ports/ports.ts"
import type { PushDb } from "../port.ts"

const keptMillis = 90 * 24 * 60 * 60_000
const piece = 1_000

/** Removes deliveries 90 days after their campaign has ended [I0.3]. Its statistics stay. */
export const makeForgetDeliveries = ({ clock }: Pick<Ports, "clock">): ProjectTask<PushDb> => {
  const oldest = (db: PushDb) =>
    Effect.map(
      db.pushStats.oldestKept(),
      Option.map(({ campaign_id, ended_at }) => ({ campaign_id, at: new Date(ended_at.getTime() + keptMillis) })),
    )
  return {
    name: "push.forget-deliveries",
    runNext: Effect.fn("push.forgetDeliveries")(function* (db) {
      const found = Option.getOrNull(yield* oldest(db))
      if (found === null || found.at > clock.now()) return false
      const removed = yield* db.pushDeliveries.forget(found.campaign_id, piece)
      if (removed < piece) yield* db.pushStats.markForgotten(found.campaign_id)
      return true
    }),
    nextRunAt: (db) => Effect.map(oldest(db), (found) => Option.getOrNull(found)?.at ?? null),
  }
}
