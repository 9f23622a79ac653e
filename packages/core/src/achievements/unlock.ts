import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { PlatformEvent } from "../events/event.ts"
import type { Ports } from "../ports/ports.ts"
import { type AwardedXp, type AwardOptions, makeAwardXp } from "../xp/award-xp.ts"
import type { XpAward } from "../xp/entry.ts"
import type { XpDb } from "../xp/port.ts"
import type { Achievement, Unlock, UserAchievement } from "./achievement.ts"
import type { AchievementsDb } from "./port.ts"

/** What unlocking writes. */
export type UnlockDb = AchievementsDb & BackgroundDb & XpDb

/** What is to be unlocked for a user. */
export interface WantedUnlock {
  readonly app_user_id: string
  readonly achievement: Pick<Achievement, "id" | "key" | "xp_reward">
}

/** What was unlocked, with the XP for it and the platform events that it causes. */
export interface Unlocked extends AwardedXp {
  readonly unlocks: ReadonlyArray<Unlock>
}

/** The cause of the XP for an unlock. An achievement that is unlocked again has another id of its unlock. */
export const formatUnlockCause = (unlock: Pick<UserAchievement, "id">): string => `achievements/${unlock.id}`

const describeAward = (unlock: Unlock): XpAward => ({
  app_user_id: unlock.app_user_id,
  amount: unlock.xp_reward,
  source: "achievement",
  reference_id: unlock.achievement_id,
  cause_key: formatUnlockCause(unlock),
  occurred_at: unlock.unlocked_at,
})

const describeEvent = (unlock: Unlock): PlatformEvent => ({
  app_user_id: unlock.app_user_id,
  event_name: "achievement_unlocked",
  properties: { achievement_id: unlock.achievement_id, key: unlock.key, xp_reward: unlock.xp_reward },
  occurred_at: unlock.unlocked_at,
  cause_key: `${formatUnlockCause(unlock)}/achievement_unlocked`,
})

const byUser = (one: WantedUnlock, other: WantedUnlock) =>
  one.app_user_id === other.app_user_id ? 0 : one.app_user_id < other.app_user_id ? -1 : 1

const nothing: Unlocked = { unlocks: [], entries: [], totals: [], events: [] }

/**
 * Unlocks achievements with their XP, in a fixed number of statements for any number of users [G1.2]. What a user has already
 * is passed over, and so are users who are gone. The caller has the project's hold, and knows what was taken back. Locks the
 * users and their totals, then writes the unlocks [G0.5]. The caller answers `events` from its reaction, or writes them: by user,
 * in whatever order facts were read, and those of a user as they were wanted.
 */
export const makeUnlock = (ports: Pick<Ports, "clock" | "ids">) => {
  const awardXp = makeAwardXp(ports)
  return Effect.fnUntraced(function* (
    db: UnlockDb,
    wanted: ReadonlyArray<WantedUnlock>,
    options: AwardOptions,
  ): Effect.fn.Return<Unlocked> {
    if (wanted.length === 0) return nothing
    const users = yield* db.xpTotals.lockMany([...new Set(wanted.map(({ app_user_id }) => app_user_id))])
    const unlocked_at = ports.clock.now()
    const rows = wanted
      .filter(({ app_user_id }) => users.has(app_user_id))
      .toSorted(byUser)
      .map(({ app_user_id, achievement: { id: achievement_id, key, xp_reward } }): Unlock => {
        return { id: ports.ids.uuid(), app_user_id, achievement_id, unlocked_at, key, xp_reward }
      })
    const inserted = new Set(
      yield* db.userAchievements.insertMany(rows.map(({ key: _, xp_reward: __, ...row }) => row)),
    )
    const unlocks = rows.filter(({ id }) => inserted.has(id))
    const awards = unlocks.filter(({ xp_reward }) => xp_reward > 0).map(describeAward)
    const { entries, totals, events } = yield* awardXp(db, awards, options)
    return { unlocks, entries, totals, events: [...unlocks.map(describeEvent), ...events] }
  })
}
