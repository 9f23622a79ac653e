import { Effect, Schema } from "effect"
import type { OutboxHandler } from "../background/work.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import { JsonObject, Uuid } from "../schema.ts"
import { matches } from "../segments/matches.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { settleStreaks } from "../segments/read-user-facts.ts"
import type { StreaksDb } from "../streaks/port.ts"
import type { Achievement } from "./achievement.ts"
import { makeCriteriaReader } from "./criteria.ts"
import { makeUnlock, type UnlockDb } from "./unlock.ts"

/** The outbox topic of evaluations over all users [G1.3]. */
export const evaluateTopic = "achievements.evaluate"

/** Which achievement is evaluated, by which criteria, and the last user who was considered; null before the first. */
const EvaluatePayload = Schema.Struct({
  achievement_id: Uuid,
  criteria: JsonObject,
  after_user_id: Schema.NullOr(Uuid),
})

/** What an evaluation has to do, from the first user on. */
export const startEvaluation = ({
  id,
  criteria,
}: Pick<Achievement, "id" | "criteria">): typeof EvaluatePayload.Type => ({
  achievement_id: id,
  criteria,
  after_user_id: null,
})

// Users in one transaction: about as long as a batch of events takes.
const sliceSize = 500

// Both were read from the database, which has one order of keys.
const isSame = (a: JsonObject, b: JsonObject) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Unlocks an achievement for the users who fit its criteria, one slice of users per call, under the hold [G1.3]. With criteria
 * that have changed since it begins anew; one that is gone or inactive by now ends it. Whoever comes later is considered
 * with their own events.
 */
export const makeEvaluateHandler = (
  ports: Pick<Ports, "clock" | "ids">,
): OutboxHandler<EventsDb & SegmentsDb & StreaksDb & UnlockDb> => {
  const unlock = makeUnlock(ports)
  const readCriteria = makeCriteriaReader()
  return (db, payload) =>
    Effect.gen(function* () {
      const wanted = yield* Effect.orDie(Schema.decodeUnknownEffect(EvaluatePayload)(payload))
      const [achievement] = yield* db.achievements.list({ id: wanted.achievement_id, is_active: true }, [])
      const criteria = achievement === undefined ? null : readCriteria(achievement)
      if (achievement === undefined || criteria === null) return null
      const after = isSame(achievement.criteria, wanted.criteria) ? wanted.after_user_id : null
      const slice = yield* db.userAchievements.listCandidates(achievement.id, after, sliceSize)
      const open = slice.filter(({ is_closed }) => !is_closed)
      const now = ports.clock.now()
      const found = yield* db.ruleFacts.read(
        open.map(({ user_id }) => ({ user_id, rules: [criteria.rules] })),
        now,
      )
      const facts = criteria.dependsOnStreaks ? yield* settleStreaks(db, found, now) : found
      const fitting = facts.filter((each) => matches(criteria.rules, each, now))
      const { events } = yield* unlock(
        db,
        fitting.map(({ user }) => ({ app_user_id: user.id, achievement })),
        { isRanked: false },
      )
      if (events.length > 0) {
        yield* db.events.insertCaused(events.map((event) => ({ ...event, id: ports.ids.uuid() })))
      }
      const last = slice.at(-1)
      if (last === undefined || slice.length < sliceSize) return null
      return { ...startEvaluation(achievement), after_user_id: last.user_id }
    })
}
