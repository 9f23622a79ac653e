import { Effect } from "effect"
import type { Ports } from "../ports/index.ts"
import type { Recorded } from "./event.ts"
import { InvalidAppUserId } from "./failures.ts"
import { type EventAuthor, parseEvents } from "./parse-events.ts"
import type { Tending } from "./tending.ts"

/** The most events of one call: of a developer's service, and of an app [D, E1]. */
export const maxEvents = { admin: 500, client: 100 }

/** The engagement event log. */
export const makeEvents = (ports: Pick<Ports, "clock" | "ids" | "tenants">, tending: Tending) => ({
  /**
   * Writes one event or a batch, all or nothing. An `event_id` that is there already is skipped. What the events set off
   * runs afterwards, once per event that was inserted [E1].
   */
  record: Effect.fn("events.record")(function* (projectId: string, body: unknown, author: EventAuthor) {
    const limit = author === "named" ? maxEvents.admin : maxEvents.client
    const events = yield* Effect.fromResult(parseEvents(ports, body, author, limit))
    yield* tending.mark(projectId)
    const written = yield* ports.tenants.read(projectId, (db) => db.events.insert(events, { enqueue: true }))
    if ("unknown_users" in written) return yield* new InvalidAppUserId({ index: written.unknown_users[0] })
    const inserted = written.inserted.length
    if (inserted > 0) yield* tending.nudge(projectId)
    return { inserted, skipped: events.length - inserted, tracked: inserted } satisfies Recorded
  }),
})
