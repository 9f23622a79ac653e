import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import { leaveStreaksToRank } from "../leaderboards/streaks-topic.ts"
import type { UsersDb } from "../users/port.ts"
import type { UserRow } from "../users/user.ts"
import { lockStreaks } from "./lock-streaks.ts"
import type { StreaksDb } from "./port.ts"
import { utc } from "./timing.ts"
import {
  bringUpToDate,
  frozenPeriods,
  isLeftToRebuild,
  noteDone,
  readRun,
  type UserStreak,
  withRun,
} from "./user-streak.ts"

/**
 * Whether a streak's user comes back to the zone of its last done period, and something was counted since that may be of another zone:
 * then the next event may not go on from the stored run.
 */
const mayNotGoOn = ({ last_done_at, last_done_zone, last_event_at }: UserStreak, zone: string | null): boolean =>
  last_done_zone === (zone ?? utc) && last_event_at?.getTime() !== last_done_at?.getTime()

/**
 * Moves the deadlines of a user's streaks to another zone. Periods that were missed in the old zone stay missed, and stored
 * periods do not change [E2]. A streak that waits for a rebuild is left to it. The caller has locked the user.
 */
export const rezone = Effect.fnUntraced(function* (
  db: BackgroundDb & StreaksDb & UsersDb,
  user: Pick<UserRow, "id" | "timezone">,
  zone: string | null,
  now: Date,
) {
  const { streaks } = yield* lockStreaks(db, yield* db.userStreaks.ofUsers([user.id]))
  const forget = (streak: UserStreak) => (mayNotGoOn(streak, zone) ? { ...streak, ...noteDone(null) } : streak)
  const left = [...streaks.values()].filter(
    ({ definition, streak }) => isLeftToRebuild(definition, streak) && mayNotGoOn(streak, zone),
  )
  const updated = [...streaks.values()]
    .filter(({ definition, streak }) => !isLeftToRebuild(definition, streak))
    .map(({ definition, streak }) => ({
      ...{ definition, before: streak },
      ...bringUpToDate(definition, streak, user.timezone, now),
    }))
  yield* db.userStreaks.save([
    ...left.map(({ streak }) => forget(streak)),
    ...updated.map(({ definition, streak }) =>
      withRun(definition, forget(streak), readRun(definition, streak), zone, now),
    ),
  ])
  yield* db.userStreaks.addPeriods(
    updated.flatMap(({ definition, streak, frozen }) => frozenPeriods(definition, streak, frozen, now)),
  )
  if (updated.some(({ before, streak }) => before.current_count !== streak.current_count))
    yield* leaveStreaksToRank(db, [user.id], now)
})
