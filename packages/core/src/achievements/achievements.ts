import { Effect, Schema } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { EventsDb } from "../events/port.ts"
import { LimitReached, NotFound, QuotaExceeded } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { type JsonObject, Uuid, withDefault } from "../schema.ts"
import type { Evaluation } from "../segments/evaluation.ts"
import { mentionsStreaks, type RuleGroup } from "../segments/rules.ts"
import type { UsersDb } from "../users/port.ts"
import type { Achievement, AchievementChanges, NewAchievement } from "./achievement.ts"
import { parseCriteria } from "./criteria.ts"
import { evaluateTopic, startEvaluation } from "./evaluate.ts"
import { AchievementInactive, AchievementKeyExists } from "./failures.ts"
import { listOrder, type ReadAchievementsDb } from "./read-achievements.ts"
import type { UnlockDb } from "./unlock.ts"

/** The most achievements of a project [G0.6]. */
export const maxAchievements = 1_000

/** The most characters of the criteria of all active achievements together: they are read with each batch of events. */
const maxCriteria = 1_000_000

/** How many users a dry run and a preview show [G1.3]. */
const sampleSize = 20

/** The body of an evaluation. */
export const EvaluateRequest = Schema.Struct({ dry_run: withDefault(Schema.Boolean, false) }).annotate({
  identifier: "EvaluateAchievement",
})

/** The answer of an evaluation that has begun. */
export const AchievementEvaluationStarted = Schema.Struct({
  status: Schema.Literal("evaluating"),
  achievement_id: Uuid,
}).annotate({ identifier: "AchievementEvaluationStarted" })

// Criteria are stored as sent, with unknown keys. Valid criteria are always an object.
const readCriteria = (criteria: unknown) =>
  Effect.as(Effect.fromResult(parseCriteria(criteria)), criteria as JsonObject)

/** Achievements, as developers define them [G1.2]. */
export const makeAchievements = <Db extends EventsDb & ReadAchievementsDb & UnlockDb & UsersDb>(
  ports: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  { expireStreaks }: Pick<Evaluation, "expireStreaks">,
) => {
  const { clock, ids, tenants } = ports

  const findWouldUnlock = Effect.fnUntraced(function* (projectId: string, criteria: RuleGroup, id: string | null) {
    if (mentionsStreaks(criteria)) yield* expireStreaks(projectId)
    return yield* tenants.read(projectId, (db) => db.userAchievements.preview(criteria, id, clock.now(), sampleSize))
  })

  const lengthOf = ({ criteria, is_active }: Achievement) => (is_active ? JSON.stringify(criteria).length : 0)

  /** Refuses criteria with which those of the active achievements are too long together. The project is held. */
  const checkLength = Effect.fnUntraced(function* (db: Db, achievement: Achievement, before: Achievement | null) {
    const { id } = achievement
    const length = lengthOf(achievement)
    // So many may all be as long, and what was there may become shorter.
    if (length <= maxCriteria / maxAchievements || (before !== null && length <= lengthOf(before))) return
    const others = (yield* db.achievements.list({ is_active: true }, [])).filter((other) => other.id !== id)
    const all = others.reduce((sum, other) => sum + lengthOf(other), length)
    if (all > maxCriteria) return yield* new QuotaExceeded({ limit: maxCriteria })
  })

  return {
    /**
     * Creates an achievement. It is considered with events that are handled from now on [G1.2]. `KEY_EXISTS`; `INVALID_CRITERIA` [G1.1];
     * `LIMIT_REACHED` over 1,000 of a project [G0.6]; `QUOTA_EXCEEDED` where the criteria of all active ones have over a million characters.
     */
    create: Effect.fn("achievements.create")(function* (projectId: string, input: NewAchievement) {
      const criteria = yield* readCriteria(input.criteria)
      return yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const { total } = yield* db.achievements.page({}, [], { limit: 1, offset: 0 })
          if (total >= maxAchievements) return yield* new LimitReached({ limit: maxAchievements })
          const achievement: Achievement = { ...input, id: ids.uuid(), criteria, created_at: clock.now() }
          yield* checkLength(db, achievement, null)
          yield* Effect.mapError(db.achievements.insert(achievement), () => new AchievementKeyExists())
          return achievement
        }),
        // Two at once count one after the other.
        { alone: true },
      )
    }),

    /** All achievements, also inactive ones, by `sort_order` [G1.2]. */
    list: (projectId: string, slice: Slice) =>
      tenants.read(projectId, (db) => db.achievements.page({}, listOrder, slice)),

    /** One achievement [G1.2]. `NOT_FOUND`. */
    get: (projectId: string, id: string) =>
      orFail(
        tenants.read(projectId, (db) => db.achievements.find({ id })),
        NotFound,
      ),

    /** Changes the fields that are given. What is unlocked stays so [G1.2]. `NOT_FOUND`; `INVALID_CRITERIA`; `QUOTA_EXCEEDED`. */
    update: Effect.fn("achievements.update")(function* (projectId: string, id: string, changes: AchievementChanges) {
      const { criteria, ...others } = changes
      const changed = criteria === undefined ? others : { ...others, criteria: yield* readCriteria(criteria) }
      const isLonger = criteria !== undefined || changes.is_active === true
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          if (isLonger) {
            yield* db.outbox.hold()
            const before = yield* orFail(db.achievements.find({ id }), NotFound)
            yield* checkLength(db, { ...before, ...changed }, before)
          }
          return yield* orFail(Effect.orDie(db.achievements.update(id, changed)), NotFound)
        }),
        isLonger ? { locks: "hold" } : {},
      )
    }),

    /** Removes an achievement from everybody; the XP for it stays [G1.6]. Does nothing for an unknown one. */
    remove: (projectId: string, id: string) =>
      background.transact(projectId, (db) => db.achievements.remove({ id }), { alone: true }),

    /** How many users fit criteria at the moment, and at most 20 of their ids [G1.3]. `INVALID_CRITERIA`. */
    preview: Effect.fn("achievements.preview")(function* (projectId: string, given: unknown) {
      return yield* findWouldUnlock(projectId, yield* Effect.fromResult(parseCriteria(given)), null)
    }),

    /**
     * Unlocks an achievement for the users who fit it already, in the background; with `dry_run` it only tells how many would, without
     * those who have it or from whom it was taken back [G1.3]. `NOT_FOUND`; `INACTIVE`; `INVALID_CRITERIA` where the stored criteria can
     * no longer be read.
     */
    evaluate: Effect.fn("achievements.evaluate")(function* (
      projectId: string,
      id: string,
      { dry_run }: typeof EvaluateRequest.Type,
    ) {
      const find = Effect.fnUntraced(function* (db: Db) {
        const achievement = yield* orFail(db.achievements.find({ id }), NotFound)
        return achievement.is_active ? achievement : yield* new AchievementInactive()
      })
      const achievement = yield* tenants.read(projectId, find)
      const criteria = yield* Effect.fromResult(parseCriteria(achievement.criteria))
      if (dry_run) return yield* findWouldUnlock(projectId, criteria, id)
      if (mentionsStreaks(criteria)) yield* expireStreaks(projectId)
      yield* background.transact(
        projectId,
        // Alone, so that it does not come between a slice and what that has left.
        (db) =>
          Effect.flatMap(find(db), (row) => db.outbox.replace(evaluateTopic, startEvaluation(row), ["achievement_id"])),
        { alone: true },
      )
      return { status: "evaluating" as const, achievement_id: achievement.id }
    }),
  }
}
