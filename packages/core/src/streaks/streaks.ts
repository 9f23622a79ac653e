import { Effect, Schema } from "effect"
import type { Access } from "../access/access.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import { mayAppWrite } from "../events/app-event-rules.ts"
import type { EventsDb } from "../events/port.ts"
import { Forbidden, InvalidToken, LimitReached, NotFound } from "../failure.ts"
import { leaveStreaksToRank } from "../leaderboards/streaks-topic.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { text } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import {
  formatRules,
  type NewStreakDefinition,
  type StreakDefinition,
  type StreakDefinitionChanges,
} from "./definition.ts"
import { StreakDefinitionNotFound } from "./failures.ts"
import { lockStreaks } from "./lock-streaks.ts"
import type { StreaksDb } from "./port.ts"
import { type RebuildPayload, rebuildTopic } from "./rebuild.ts"
import { newUserStreak } from "./user-streak.ts"
import { readStreaks, shownPeriods, showOwnStreaks } from "./views.ts"

/** The body of a qualify call. `event_id` makes it safe to repeat. */
export const QualifyRequest = Schema.Struct({ event_id: Schema.optionalKey(text(1, 255)) }).annotate({
  identifier: "QualifyRequest",
})

// An event counts for each definition of its name.
const maxDefinitions = 1_000

const runRuleKeys = new Set<string>([
  "period",
  "grace_period_hours",
  "freeze_enabled",
  "max_freezes",
  "freezes_per_n_events",
] satisfies ReadonlyArray<keyof StreakDefinition>)

const readOwnStreaks = Effect.fnUntraced(function* (db: StreaksDb & UsersDb, userId: string, now: Date) {
  const { user } = yield* orFail(db.users.profile(userId), InvalidToken)
  const streaks = yield* readStreaks(db, user, now)
  const rows = streaks.length === 0 ? [] : yield* db.userStreaks.recentPeriods(userId, shownPeriods)
  return showOwnStreaks(streaks, rows, user.timezone, now)
})

/** Streak definitions and the streaks of users [E2]. */
export const makeStreaks = <Db extends BackgroundDb & EventsDb & StreaksDb & UsersDb>(
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "react" | "transact">,
  access: Pick<Access, "eventRules">,
) => ({
  /** Creates a definition. It counts events that are handled from now on [E2]. `LIMIT_REACHED` over 1,000 of a project [G0.6]. */
  create: Effect.fn("streaks.create")((projectId: string, input: NewStreakDefinition) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        // Two at once count one after the other.
        yield* db.outbox.hold()
        const { total } = yield* db.streakDefinitions.page({}, [], { limit: 1, offset: 0 })
        if (total >= maxDefinitions) return yield* new LimitReached({ limit: maxDefinitions })
        const definition: StreakDefinition = { ...input, id: ids.uuid(), created_at: clock.now() }
        yield* Effect.orDie(db.streakDefinitions.insert(definition))
        return definition
      }),
      { locks: "hold" },
    ),
  ),

  /** All definitions, the oldest first [E2]. */
  list: (projectId: string, slice: { readonly limit: number; readonly offset: number }) =>
    tenants.read(projectId, (db) => db.streakDefinitions.page({}, [["created_at", "asc"]], slice)),

  /** Changes a definition. Where the rules of runs change, the streaks of all users are rebuilt in the background [E2]. `NOT_FOUND`. */
  update: Effect.fn("streaks.update")(function* (projectId: string, id: string, changes: StreakDefinitionChanges) {
    const alone = Object.keys(changes).some((key) => runRuleKeys.has(key))
    return yield* background.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        const before = yield* orFail(db.streakDefinitions.lock(id), NotFound)
        if (Object.keys(changes).length === 0) return before
        const after = yield* orFail(Effect.orDie(db.streakDefinitions.update(id, changes)), NotFound)
        if (formatRules(after) !== formatRules(before)) {
          // Changes before the rebuild has run, or in its middle, need one rebuild from the beginning, by the last rules.
          const payload: RebuildPayload = { definition_id: id, after_user_id: null }
          yield* db.outbox.replace(rebuildTopic, payload, ["definition_id"])
        }
        return after
      }),
      { alone },
    )
  }),

  /** Removes a definition and all streaks of it. Does nothing for an unknown definition [E2]. */
  remove: (projectId: string, id: string) =>
    background.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        const removed = yield* db.streakDefinitions.remove({ id })
        if (removed > 0) yield* leaveStreaksToRank(db, null, null)
        return removed
      }),
    ),

  /** A user's own streaks as they are now, with the last 30 periods of each [D]. `INVALID_TOKEN` for a user who is gone. */
  own: (projectId: string, userId: string) => tenants.read(projectId, (db) => readOwnStreaks(db, userId, clock.now())),

  /**
   * Counts a streak for its user now: writes the qualifying event and runs the reactions in one transaction. A repeated `event_id`
   * changes nothing [D]. `STREAK_DEFINITION_NOT_FOUND`; `FORBIDDEN` where apps may not write the event [G0.1]; `INVALID_TOKEN` for a user
   * who is gone.
   */
  qualify: Effect.fn("streaks.qualify")(function* (
    projectId: string,
    userId: string,
    id: string,
    input: typeof QualifyRequest.Type,
  ) {
    const rules = yield* access.eventRules(projectId)
    return yield* background.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        // Both stay until the transaction ends, so that what the event sets off has its user and its definition.
        const { zones, definitions } = yield* lockStreaks(db, [{ app_user_id: userId, streak_definition_id: id }])
        if (!zones.has(userId)) return yield* new InvalidToken()
        const definition = definitions.get(id)
        if (definition === undefined) return yield* new StreakDefinitionNotFound()
        if (!mayAppWrite(rules, definition.qualifying_event))
          return yield* new Forbidden(
            undefined,
            "Apps may not write the event of this streak: it is reserved or in server_events.",
          )
        const now = clock.now()
        const event = {
          id: ids.uuid(),
          app_user_id: userId,
          event_name: definition.qualifying_event,
          properties: {},
          occurred_at: now,
        }
        const named = { ...event, external_id: input.event_id ?? null }
        const written = yield* db.events.insert([named], { enqueue: false, plane: "client" })
        if ("unknown_users" in written) return yield* new InvalidToken()
        if (written.inserted.length > 0) yield* background.react(projectId, db, [event])
        const own = (yield* readOwnStreaks(db, userId, now)).find((streak) => streak.streak_definition_id === id)
        return own ?? { ...newUserStreak(definition, "", userId, now), id: null, definition, periods: [] }
      }),
      // Reactions of a project run one after the other, also here.
      { alone: true },
    )
  }),
})
