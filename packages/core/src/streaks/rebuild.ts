import { Effect, Schema } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { OutboxHandler } from "../background/work.ts"
import type { LeaderboardsDb } from "../leaderboards/port.ts"
import { leaveStreaksToRankAlone } from "../leaderboards/streaks-topic.ts"
import type { Ports } from "../ports/ports.ts"
import { Uuid } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { formatRules } from "./definition.ts"
import { formatKey, lockStreaks } from "./lock-streaks.ts"
import type { StreaksDb } from "./port.ts"
import { findRebuildStart, rebuildStreaks, type ToRebuild } from "./rebuild-streaks.ts"
import type { WrittenStreak } from "./streak-changes.ts"
import { awaitsRebuild } from "./user-streak.ts"

/** The outbox topic of rebuilds. */
export const rebuildTopic = "streaks.rebuild"

/** The definition whose streaks are rebuilt, and the last user who was; null before the first. */
const RebuildPayload = Schema.Struct({
  definition_id: Uuid,
  after_user_id: Schema.NullOr(Uuid),
  /** Only streaks of which a part was left: their definition has not changed. */
  only_begun: Schema.optionalKey(Schema.Boolean),
})

/** What a rebuild of a definition has to do. */
export type RebuildPayload = typeof RebuildPayload.Type

// Streaks in one transaction. How many of their events are counted again is bounded by itself.
const sliceSize = 500

/** Leaves it to the background to put streaks on leaderboards that were written outside of a reaction, under the hold. */
export const leaveWrittenToRank = (db: BackgroundDb & LeaderboardsDb, written: ReadonlyArray<WrittenStreak>) => {
  const from = new Date(Math.min(...written.map((each) => each.from.getTime())))
  return written.length === 0
    ? Effect.void
    : leaveStreaksToRankAlone(
        db,
        written.map(({ after }) => after.app_user_id),
        from,
      )
}

/**
 * Rebuilds streaks now, where late events or a pending rebuild ask for it. What is too much for one transaction is left to the
 * next ones: it has no deadline until then. Answers what was written now.
 */
export const rebuildOrLeave = Effect.fnUntraced(function* (
  db: BackgroundDb & StreaksDb,
  items: ReadonlyArray<ToRebuild>,
  now: Date,
) {
  const { done, written } = yield* rebuildStreaks(db, items, now)
  const left = items.slice(done)
  if (left.length === 0) return written
  // The first of them was rebuilt in part where no other was: its row says how far.
  const untouched = done === 0 ? left.slice(1) : left
  yield* db.userStreaks.save(untouched.map(({ streak, from }) => ({ ...streak, rebuild_from: from, expires_at: null })))
  for (const definition_id of new Set(left.map(({ definition }) => definition.id))) {
    const payload: RebuildPayload = { definition_id, after_user_id: null, only_begun: true }
    yield* db.outbox.replace(rebuildTopic, payload, ["definition_id", "only_begun"])
  }
  return written
})

/**
 * Rebuilds the streaks of a definition that wait for it, one slice of users per call. Those that are up to date are passed
 * over: a reaction has rebuilt them, or nothing has changed in the end.
 */
export const makeRebuild =
  ({ clock }: Pick<Ports, "clock">): OutboxHandler<BackgroundDb & LeaderboardsDb & StreaksDb & UsersDb> =>
  (db, payload) =>
    Effect.gen(function* () {
      const wanted = yield* Effect.orDie(Schema.decodeUnknownEffect(RebuildPayload)(payload))
      const [definition] = yield* db.streakDefinitions.list({ id: wanted.definition_id }, [])
      if (definition === undefined) return null
      const rules = wanted.only_begun === true ? null : formatRules(definition)
      const keys = yield* db.userStreaks.awaitingRebuild(definition.id, rules, wanted.after_user_id, sliceSize)
      const { streaks } = yield* lockStreaks(db, keys)
      const items = keys.flatMap((key) => {
        const locked = streaks.get(formatKey(key))
        return locked === undefined || !awaitsRebuild(locked.definition, locked.streak)
          ? []
          : [{ ...locked, from: findRebuildStart(locked, null) }]
      })
      const { done, written } = yield* rebuildStreaks(db, items, clock.now())
      yield* leaveWrittenToRank(db, written)
      if (done === items.length && keys.length < sliceSize) return null
      const last = done === items.length ? keys.at(-1) : items[done - 1]?.streak
      return { ...wanted, after_user_id: last?.app_user_id ?? wanted.after_user_id } satisfies RebuildPayload
    })
