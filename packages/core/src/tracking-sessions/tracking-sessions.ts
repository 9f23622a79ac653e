import { Effect, Option } from "effect"
import { utcDay } from "../analytics/days.ts"
import type { ActiveDaysDb } from "../analytics/port.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { SessionNotOpen } from "./failures.ts"
import type { TrackingSessionsDb } from "./port.ts"
import { beatSession, endSession, nextCheck } from "./rules.ts"
import { describeEnd, describeStart } from "./session-events.ts"
import type { NewTrackingSession, TrackingSessionRow } from "./tracking-session.ts"

type Db = ActiveDaysDb & BackgroundDb & EventsDb & TrackingSessionsDb & UsersDb

/** How users use the app, measured by the app itself (spec: tracking sessions; H5.1). */
export const makeTrackingSessions = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
) => {
  const makeRow = (app_user_id: string, given: NewTrackingSession): TrackingSessionRow => {
    const now = clock.now()
    const times = { started_at: now, ended_at: null, duration_seconds: 0, last_seen_at: now, check_at: nextCheck(now) }
    return { ...given, ...times, id: ids.uuid(), app_user_id }
  }

  return {
    /**
     * Starts a session: writes it, its event and its day of activity together. One that was started before is answered as it is, also
     * after its end, and nothing is written [H5.1]. `INVALID_TOKEN` for a user who is gone.
     */
    start: Effect.fn("trackingSessions.start")((projectId: string, userId: string, given: NewTrackingSession) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          yield* orFail(db.users.lock(userId, "key share"), InvalidToken)
          const row = makeRow(userId, given)
          if (!(yield* db.trackingSessions.insertNew(row))) {
            const present = yield* db.trackingSessions.find({ app_user_id: userId, session_id: given.session_id })
            return Option.getOrThrow(present)
          }
          yield* db.activeDays.add([{ app_user_id: userId, day: utcDay(row.started_at) }])
          yield* db.events.insertCaused([{ ...describeStart(row), id: ids.uuid() }])
          return row
        }),
      ),
    ),

    /**
     * Ends a session, with its event. One that has ended before is answered as it is; one that has lapsed keeps that end.
     * `duration_seconds` is in whole seconds [H5.1]. `UPDATE_FAILED` where it is not there; `INVALID_TOKEN` for a user who is gone.
     */
    end: Effect.fn("trackingSessions.end")((projectId: string, userId: string, sessionId: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          yield* orFail(db.users.lock(userId, "key share"), InvalidToken)
          const session = yield* orFail(db.trackingSessions.lockOf(userId, sessionId), SessionNotOpen)
          const { ended_at } = session
          if (ended_at !== null) return { ...session, ended_at }
          const end = endSession(session, clock.now())
          yield* Effect.orDie(db.trackingSessions.update(session.id, end))
          const ended = { ...session, ...end }
          yield* db.events.insertCaused([{ ...describeEnd(ended), id: ids.uuid() }])
          return ended
        }),
      ),
    ),

    /** Says that a session goes on: without it for 30 minutes it has ended [H5.1]. `UPDATE_FAILED` where it is not there or has ended. */
    heartbeat: Effect.fn("trackingSessions.heartbeat")((projectId: string, userId: string, sessionId: string) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const session = yield* orFail(db.trackingSessions.lockOf(userId, sessionId), SessionNotOpen)
          const beat = beatSession(session, clock.now())
          if (beat === null) return yield* new SessionNotOpen()
          yield* Effect.orDie(db.trackingSessions.update(session.id, beat))
          return { ...session, ...beat }
        }),
      ),
    ),
  }
}
