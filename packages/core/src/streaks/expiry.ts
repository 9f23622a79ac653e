import { Effect } from "effect"
import type { ProjectTask } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import type { StreaksDb } from "./port.ts"
import { bringUpToDate, frozenPeriods, readRun, withRun } from "./user-streak.ts"

/** How many streaks are expired in one transaction. */
const sliceSize = 1_000

/** Marks streaks as frozen or broken after their deadline. Reads show the same before it has run [E2]. */
export const makeStreakExpiry = ({ clock }: Pick<Ports, "clock">): ProjectTask<StreaksDb & UsersDb> => ({
  name: "streaks.expire",
  alone: true,
  runNext: Effect.fnUntraced(function* (db) {
    const now = clock.now()
    const expired = yield* db.userStreaks.lockExpired(now, sliceSize)
    if (expired.length === 0) return false
    const definitions = new Map(
      (yield* db.streakDefinitions.list({}, [])).map((definition) => [definition.id, definition]),
    )
    const zones = yield* db.users.zones([...new Set(expired.map((streak) => streak.app_user_id))])
    const updated = expired.flatMap((streak) => {
      const definition = definitions.get(streak.streak_definition_id)
      if (definition === undefined) return []
      const zone = zones.get(streak.app_user_id) ?? null
      const current = bringUpToDate(definition, streak, zone, now)
      // Always recomputes the deadline: one that a change of zone rules has moved would otherwise be found again at every run.
      const saved = withRun(definition, current.streak, readRun(definition, current.streak), zone, now)
      return [{ definition, streak: saved, frozen: current.frozen }]
    })
    yield* db.userStreaks.save(updated.map(({ streak }) => streak))
    yield* db.userStreaks.addPeriods(
      updated.flatMap(({ definition, streak, frozen }) => frozenPeriods(definition, streak, frozen, now)),
    )
    return expired.length === sliceSize
  }),
  nextRunAt: (db) => db.userStreaks.nextExpiry(),
})
