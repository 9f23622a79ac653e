import { Effect } from "effect"
import type { Access } from "../access/access.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import { InvalidToken } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import type { Ports } from "../ports/ports.ts"
import type { NewEvent, Recorded, WritingPlane } from "./event.ts"
import { parseEvents, refuseUsers } from "./parse-events.ts"
import type { EventsDb } from "./port.ts"

/** The most events of one call, for a developer's service and for an app [D, E1]. */
export const maxEvents = { admin: 500, client: 100 }

/** The engagement event log. */
export const makeEvents = (
  ports: Pick<Ports<EventsDb>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<BackgroundDb & EventsDb>, "markPending" | "nudge">,
  limits: Pick<Limits, "userEvents">,
  access: Pick<Access, "eventRules">,
) => {
  const write = Effect.fnUntraced(function* <E>(
    projectId: string,
    events: ReadonlyArray<NewEvent>,
    plane: WritingPlane,
    unknownUsers: (indexes: ReadonlyArray<number>) => E,
  ) {
    yield* background.markPending(projectId)
    const written = yield* ports.tenants.read(projectId, (db) => db.events.insert(events, { enqueue: true, plane }))
    if ("unknown_users" in written) return yield* Effect.fail(unknownUsers(written.unknown_users))
    const inserted = written.inserted.length
    if (inserted > 0) yield* background.nudge(projectId)
    return { inserted, skipped: events.length - inserted, tracked: inserted } satisfies Recorded
  })

  return {
    /**
     * Writes one event or a batch, for any users, all or nothing. An `event_id` that exists is skipped. Reactions run afterwards, once
     * per inserted event [E1]. `INVALID_JSON`; `INVALID_EVENT`; `INVALID_APP_USER_ID`; `INVALID_EVENT_NAME`; `INVALID_OCCURRED_AT`;
     * `INVALID_EVENT_ID`; `BATCH_TOO_LARGE` over 500 events. `details.index` is that of the first event that is wrong.
     */
    record: Effect.fnUntraced(function* (projectId: string, body: unknown) {
      const events = yield* Effect.fromResult(parseEvents(ports, body, "named", maxEvents.admin))
      return yield* write(projectId, events, "admin", (indexes) => refuseUsers(body, indexes))
    }),

    /**
     * Writes one event or a batch of the session's user, in the same way [D], by the rules for apps [G0.1, G0.2]. At most 100 events.
     * Fails as `record` does: `INVALID_JSON`; `INVALID_EVENT`; `INVALID_APP_USER_ID`; `INVALID_EVENT_NAME`; `INVALID_OCCURRED_AT`;
     * `INVALID_EVENT_ID`; `BATCH_TOO_LARGE`; and with `RATE_LIMIT_EXCEEDED` [B14], and `INVALID_TOKEN` for a user who is gone.
     */
    recordOwn: Effect.fnUntraced(function* (projectId: string, userId: string, body: unknown) {
      const author = { user_id: userId, rules: yield* access.eventRules(projectId) }
      const events = yield* Effect.fromResult(parseEvents(ports, body, author, maxEvents.client))
      yield* limits.userEvents(projectId, userId, events.length)
      // A removed user's session is not valid any more, even while it is still cached as live.
      return yield* write(projectId, events, "client", () => new InvalidToken())
    }),
  }
}
