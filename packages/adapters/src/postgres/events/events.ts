import type { Clock } from "@hearth/core"
import type { Events } from "@hearth/core/events"
import type { Statements } from "../connections/statements.ts"
import { removeOfUser } from "../sql/remove-of-user.ts"
import { makeInsertCaused, makeInsertEvents } from "./insert-events.ts"
import { makeEventsReading, readEventsAt, readEventsByIds } from "./read-events.ts"

/** The event log. */
export const makeEvents = (statements: Statements, clock: Clock): Events => ({
  ...makeEventsReading(statements),
  ...makeInsertEvents(statements, clock),
  insertCaused: makeInsertCaused(statements, clock),
  listByIds: (ids, { properties }) => readEventsByIds(statements, ids, properties),
  listAt: (userId, instants, name, limit) => readEventsAt(statements, userId, instants, name, limit),
  removeSome: (userId, limit) => removeOfUser(statements, "engagement_events", userId, limit),
})
