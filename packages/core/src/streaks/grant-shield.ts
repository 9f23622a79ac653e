import { Effect } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import type { LeaderboardsDb } from "../leaderboards/port.ts"
import { leaveStreaksToRankAlone } from "../leaderboards/streaks-topic.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { periodKey } from "../time/periods.ts"
import type { UsersDb } from "../users/port.ts"
import { InvalidCount, StreakDefinitionNotFound, UserStreakNotFound } from "./failures.ts"
import { formatKey, lockStreaks } from "./lock-streaks.ts"
import type { StreaksDb } from "./port.ts"
import { grantFreezes } from "./run/run.ts"
import { lastOver } from "./timing.ts"
import { bringUpToDate, frozenPeriods, readDone, readRun, withRun } from "./user-streak.ts"

/**
 * Gives a user more freezes for a streak, up to the definition's cap. They can cover periods whose deadline has not passed
 * yet. `count` is the caller's input; the default is 1.
 */
export const makeGrantShield = (
  { clock, ids }: Pick<Ports, "clock" | "ids">,
  background: Pick<Dispatcher<BackgroundDb & EventsDb & LeaderboardsDb & StreaksDb & UsersDb>, "transact">,
) =>
  Effect.fn("streaks.grantShield")(function* (
    projectId: string,
    userId: string,
    definitionId: string,
    count: unknown = 1,
  ) {
    if (!Number.isSafeInteger(count) || Number(count) < 1)
      return yield* new InvalidCount({ issues: [{ path: "count", message: "must be an integer of at least 1" }] })
    return yield* background.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const key = { app_user_id: userId, streak_definition_id: definitionId }
        const locked = (yield* lockStreaks(db, [key])).streaks.get(formatKey(key))
        if (locked === undefined) {
          yield* orFail(db.streakDefinitions.find({ id: definitionId }), StreakDefinitionNotFound)
          return yield* new UserStreakNotFound()
        }
        const now = clock.now()
        // Where the streak waits for a rebuild, that will find the grant.
        const { definition, streak: stored, zone } = locked
        const { streak, frozen } = bringUpToDate(definition, stored, zone, now)
        const before = readRun(definition, streak)
        const over = lastOver(definition, { last: before.last, done: readDone(streak) }, now, zone)
        // Also settles a broken run up to here, so that backfilled events from before the grant cannot use it.
        const settled = Math.max(before.settled ?? over, over)
        const from_period = periodKey(definition.period, settled + 1)
        // What is above the cap of now is not given, and does not come when the cap is raised.
        const given = Math.min(Number(count), Math.max(0, definition.max_freezes - before.freezes))
        const run = grantFreezes(definition, { ...before, settled }, given)
        const granted = withRun(definition, streak, run, zone, now)
        yield* db.userStreaks.addPeriods(frozenPeriods(definition, streak, frozen, now))
        yield* db.userStreaks.addGrant({ ...key, id: ids.uuid(), from_period, count: given, granted_at: now })
        yield* db.userStreaks.save([granted])
        // It may have been broken without having been looked at since.
        if (granted.current_count !== stored.current_count) yield* leaveStreaksToRankAlone(db, [userId], now)
        return granted
      }),
      { alone: true },
    )
  })
