import type { Clock } from "@hearth/core"
import type { Events } from "@hearth/core/events"
import type { Statements } from "../connections/statements.ts"
import { makeInsertCaused, makeInsertEvents } from "./insert-events.ts"
import { makeEventsReading, readEventsAt, readEventsByIds } from "./read-events.ts"

const removeSome = `
  delete from engagement_events where id in (
    select id from engagement_events where app_user_id = $1 limit $2 for update skip locked
  )`

/** The event log. */
export const makeEvents = (statements: Statements, clock: Clock): Events => ({
  ...makeEventsReading(statements),
  ...makeInsertEvents(statements, clock),
  insertCaused: makeInsertCaused(statements, clock),
  listByIds: (ids, { properties }) => readEventsByIds(statements, ids, properties),
  listAt: (userId, instants, name, limit) => readEventsAt(statements, userId, instants, name, limit),
  removeSome: (userId, limit) => statements.count(removeSome, [userId, limit]),
})
