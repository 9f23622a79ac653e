import { Effect } from "effect"
import type { ProjectTask } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { lockStreaks } from "./lock-streaks.ts"
import type { StreaksDb } from "./port.ts"
import { bringUpToDate, frozenPeriods, isLeftToRebuild, readRun, withRun } from "./user-streak.ts"

/** How many streaks are expired in one transaction. */
const sliceSize = 1_000

/** Marks streaks as frozen or broken after their deadline. Reads show the same before it has run [E2]. */
export const makeStreakExpiry = ({ clock }: Pick<Ports, "clock">): ProjectTask<StreaksDb & UsersDb> => ({
  name: "streaks.expire",
  alone: true,
  runNext: Effect.fnUntraced(function* (db) {
    const now = clock.now()
    const expired = yield* db.userStreaks.expired(now, sliceSize)
    if (expired.length === 0) return false
    const { streaks } = yield* lockStreaks(db, expired)
    const updated = [...streaks.values()].flatMap(({ definition, streak, zone }) => {
      if (streak.expires_at === null || streak.expires_at > now) return []
      // Its rebuild accounts for what was missed, and finds its next deadline.
      if (isLeftToRebuild(definition, streak))
        return [{ definition, streak: { ...streak, expires_at: null }, frozen: [] }]
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
