import { Effect } from "effect"
import type { Chore } from "../events/tending.ts"
import type { Ports } from "../ports/index.ts"
import { periodKey } from "../time/periods.ts"
import { settledAt } from "./user-streak.ts"

/** How many streaks are marked in one transaction. */
const sliceSize = 1_000

/** Marks streaks as frozen or broken once their deadline has passed. Reads do not depend on it having run [E2]. */
export const makeStreakExpiry = ({ clock }: Pick<Ports, "clock">): Chore => ({
  next: Effect.fnUntraced(function* (db) {
    const now = clock.now()
    const expired = yield* db.userStreaks.lockExpired(now, sliceSize)
    if (expired.length === 0) return false
    const definitions = new Map(
      (yield* db.streakDefinitions.list({}, [])).map((definition) => [definition.id, definition]),
    )
    const zones = yield* db.users.zones([...new Set(expired.map((streak) => streak.app_user_id))])
    const settled = expired.flatMap((streak) => {
      const definition = definitions.get(streak.streak_definition_id)
      if (definition === undefined) return []
      return [{ definition, ...settledAt(definition, streak, zones.get(streak.app_user_id) ?? null, now) }]
    })
    yield* db.userStreaks.save(settled.map(({ streak }) => streak))
    yield* db.userStreaks.addPeriods(
      settled.flatMap(({ definition, streak, frozen }) =>
        frozen.map((index) => ({
          app_user_id: streak.app_user_id,
          streak_definition_id: streak.streak_definition_id,
          period_key: periodKey(definition.period, index),
          kind: "freeze" as const,
          occurred_at: now,
        })),
      ),
    )
    return expired.length === sliceSize
  }),
  wakeAt: (db) => db.userStreaks.nextExpiry(),
})
