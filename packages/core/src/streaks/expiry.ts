import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { ProjectTask } from "../background/work.ts"
import type { LeaderboardsDb } from "../leaderboards/port.ts"
import { leaveStreaksToRankAlone } from "../leaderboards/streaks-topic.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { lockStreaks } from "./lock-streaks.ts"
import type { StreaksDb } from "./port.ts"
import { leaveWrittenToRank, rebuildOrLeave } from "./rebuild.ts"
import { findRebuildStart } from "./rebuild-streaks.ts"
import { bringUpToDate, frozenPeriods, isLeftToRebuild, readRun, withRun } from "./user-streak.ts"

/** How many streaks are expired in one transaction. */
const sliceSize = 1_000

/** Marks streaks as frozen or broken after their deadline. Reads show the same before it has run [E2]. */
export const makeStreakExpiry = ({
  clock,
}: Pick<Ports, "clock">): ProjectTask<BackgroundDb & LeaderboardsDb & StreaksDb & UsersDb> => ({
  name: "streaks.expire",
  alone: true,
  runNext: Effect.fnUntraced(function* (db) {
    const now = clock.now()
    const expired = yield* db.userStreaks.expired(now, sliceSize)
    if (expired.length === 0) return false
    const { streaks } = yield* lockStreaks(db, expired)
    const due = [...streaks.values()].filter(({ streak }) => streak.expires_at !== null && streak.expires_at <= now)
    const waiting = due.filter(({ definition, streak }) => isLeftToRebuild(definition, streak))
    const rebuilt = yield* rebuildOrLeave(
      db,
      waiting.map((locked) => ({ ...locked, from: findRebuildStart(locked, null) })),
      now,
    )
    const updated = due.flatMap(({ definition, streak, zone }) => {
      if (isLeftToRebuild(definition, streak)) return []
      const current = bringUpToDate(definition, streak, zone, now)
      // Always recomputes the deadline: one that a change of zone rules has moved would otherwise be found again at every run.
      const saved = withRun(definition, current.streak, readRun(definition, current.streak), zone, now)
      return [{ definition, before: streak, streak: saved, frozen: current.frozen }]
    })
    yield* db.userStreaks.save(updated.map(({ streak }) => streak))
    yield* db.userStreaks.addPeriods(
      updated.flatMap(({ definition, streak, frozen }) => frozenPeriods(definition, streak, frozen, now)),
    )
    const changed = updated.filter(({ before, streak }) => before.current_count !== streak.current_count)
    yield* leaveWrittenToRank(db, rebuilt)
    yield* leaveStreaksToRankAlone(
      db,
      changed.map(({ streak }) => streak.app_user_id),
      now,
    )
    return expired.length === sliceSize
  }),
  nextRunAt: (db) => db.userStreaks.nextExpiry(),
})
