import { Effect, Option } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import { makeAwardXp } from "../xp/award-xp.ts"
import { makeCriteriaReader } from "./criteria.ts"
import { listOrder, type ReadAchievementsDb, readAchievements } from "./read-achievements.ts"
import { formatUnlockCause, makeUnlock, type UnlockDb } from "./unlock.ts"

type UserAchievementsDb = EventsDb & ReadAchievementsDb & UnlockDb & UsersDb

// The hold keeps the reaction out, which unlocks too: there is one unlock, with its XP and its event.
const alone = { alone: true }

const lockBoth = Effect.fnUntraced(function* (db: UserAchievementsDb, userId: string, achievementId: string) {
  yield* orFail(db.users.lock(userId, "key share"), UserNotFound)
  return yield* orFail(db.achievements.lock(achievementId, "key share"), NotFound)
})

/** The achievements of one user. */
export const makeUserAchievements = <Db extends UserAchievementsDb>(
  ports: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
) => {
  const { clock, ids, tenants } = ports
  const unlock = makeUnlock(ports)
  const awardXp = makeAwardXp(ports)
  const readCriteria = makeCriteriaReader()

  return {
    /**
     * What the user sees, with progress: what is neither hidden nor inactive, and what is unlocked [G1.5]. `INVALID_TOKEN` for a user who
     * is gone.
     */
    own: Effect.fn("achievements.own")((projectId: string, userId: string) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const all = yield* db.achievements.list({}, listOrder)
          const isShown = ({ is_active, is_hidden }: { is_active: boolean; is_hidden: boolean }, isUnlocked: boolean) =>
            isUnlocked || (is_active && !is_hidden)
          return yield* orFail(readAchievements(db, readCriteria, userId, all, isShown, clock.now()), InvalidToken)
        }),
      ),
    ),

    /** All achievements, also hidden and inactive ones, with how far a user is [G1.6]. `USER_NOT_FOUND`. */
    listForUser: Effect.fn("achievements.listForUser")((projectId: string, userId: string) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const all = yield* db.achievements.list({}, listOrder)
          return yield* orFail(
            readAchievements(db, readCriteria, userId, all, () => true, clock.now()),
            UserNotFound,
          )
        }),
      ),
    ),

    /**
     * Unlocks an achievement by hand, also one that is inactive or was taken back. Answers whether it was not unlocked before [G1.6].
     * `USER_NOT_FOUND`; `NOT_FOUND`.
     */
    unlock: Effect.fn("achievements.unlock")((projectId: string, userId: string, achievementId: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const achievement = yield* lockBoth(db, userId, achievementId)
          yield* db.achievementRevocations.remove({ app_user_id: userId, achievement_id: achievementId })
          const { unlocks, events } = yield* unlock(db, [{ app_user_id: userId, achievement }], { isRanked: false })
          if (events.length > 0) yield* db.events.insertCaused(events.map((event) => ({ ...event, id: ids.uuid() })))
          const read = readAchievements(db, readCriteria, userId, [achievement], () => true, clock.now())
          const [row] = yield* orFail(read, UserNotFound)
          return row === undefined ? yield* new NotFound() : { created: unlocks.length > 0, row }
        }),
        alone,
      ),
    ),

    /**
     * Takes an achievement back, with what is left of its XP: the machine does not unlock it again [G1.2, G1.6]. Does nothing where the
     * user does not have it. `USER_NOT_FOUND`; `NOT_FOUND` without the achievement.
     */
    revoke: Effect.fn("achievements.revoke")((projectId: string, userId: string, achievementId: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          yield* lockBoth(db, userId, achievementId)
          const key = { app_user_id: userId, achievement_id: achievementId }
          const held = Option.getOrNull(yield* db.userAchievements.find(key))
          if (held === null) return
          const cause_key = formatUnlockCause(held)
          const given = Option.getOrNull(yield* db.xpEntries.find({ cause_key }))
          if (given !== null) {
            const { app_user_id, amount, source, reference_id, occurred_at } = given
            const taken = { app_user_id, amount: -amount, source, reference_id, occurred_at }
            yield* awardXp(db, [{ ...taken, cause_key: `${cause_key}/revoked` }], { isRanked: false })
          }
          yield* db.userAchievements.remove({ id: held.id })
          const revocation = { ...key, id: ids.uuid(), revoked_at: clock.now() }
          yield* Effect.orDie(db.achievementRevocations.insert(revocation))
        }),
        alone,
      ),
    ),
  }
}
