import { Effect } from "effect"
import type { ProjectTask } from "../background/work.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { TrackingSessionsDb } from "./port.ts"
import { findLapse, nextCheck } from "./rules.ts"
import { describeEnd } from "./session-events.ts"

/** How many sessions are looked at in one transaction. */
const sliceSize = 1_000

/**
 * Ends sessions that have lapsed, each at its last sign of life, with their events. Reads show the same before it has run [H5.1].
 * A heartbeat does not move `check_at`, so that it changes no index; a session that has had one is looked at again later.
 */
export const makeEndLapsed = ({
  clock,
  ids,
}: Pick<Ports, "clock" | "ids">): ProjectTask<EventsDb & TrackingSessionsDb> => ({
  name: "tracking-sessions.end-lapsed",
  runNext: Effect.fnUntraced(function* (db) {
    const now = clock.now()
    const due = yield* db.trackingSessions.lockDue(now, sliceSize)
    if (due.length === 0) return false
    const checked = due.map((session) => ({
      ...session,
      ...(findLapse(session, now) ?? { check_at: nextCheck(session.last_seen_at) }),
    }))
    yield* db.trackingSessions.saveChecked(checked)
    const events = checked.flatMap((session) => {
      const { ended_at } = session
      return ended_at === null ? [] : [{ ...describeEnd({ ...session, ended_at }), id: ids.uuid() }]
    })
    if (events.length > 0) yield* db.events.insertCaused(events)
    return due.length === sliceSize
  }),
  nextRunAt: (db) => db.trackingSessions.nextCheckAt(),
})
