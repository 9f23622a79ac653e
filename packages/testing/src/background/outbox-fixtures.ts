import type { TenantDb } from "@hearth/core"
import type { OutboxHead, OutboxLimits } from "@hearth/core/background"
import { Effect } from "effect"

/** The topics that the suites serve. */
const servedTopics = ["one.topic", "another.topic"]

/** Limits of so many events, and of nothing else. */
export const limitTo = (events: number, more: Partial<OutboxLimits> = {}): OutboxLimits => ({
  events,
  bytes: Number.MAX_SAFE_INTEGER,
  topics: servedTopics,
  properties: true,
  ...more,
})

/** Takes the head as a handler does: under the hold, and removed. */
export const handleHead = (limits: OutboxLimits) => (db: TenantDb) =>
  Effect.gen(function* () {
    yield* db.outbox.hold()
    const head = yield* db.outbox.next(limits)
    if (head !== null) yield* db.outbox.remove(head)
    return head
  })

/** The events of a head; none for an entry, and where nothing waits. */
export const eventsIn = (head: OutboxHead | null) => (head?.kind === "events" ? head.events : [])

/** Empties the outbox, and answers the events that were in it. */
export const drainOutbox = (db: TenantDb) =>
  Effect.gen(function* () {
    const events = []
    for (;;) {
      const head = yield* handleHead(limitTo(100_000))(db)
      if (head === null) return events
      events.push(...eventsIn(head))
    }
  })
