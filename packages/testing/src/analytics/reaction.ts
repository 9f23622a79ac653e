import { analyticsWork } from "@hearth/core/analytics"
import { Effect } from "effect"
import fc from "fast-check"
import type { ReactionCase } from "../contracts/reaction.contract.ts"

const now = new Date("2026-03-15T12:00:00.000Z")
const everyDay = { first: "2026-02-01", last: "2026-03-31" }

/** A user is active on the days of events that are activity. */
export const analyticsReaction: ReactionCase = {
  feature: "analytics",
  work: analyticsWork,
  // Only the user under test is counted.
  event: fc.record({
    event_name: fc.constantFrom("lesson", "push_opened", "session_ended", "subscription_renewal"),
    occurred_at: fc.integer({ min: -24, max: 10 * 24 }).map((hours) => new Date(now.getTime() - hours * 3_600_000)),
  }),
  read: Effect.fnUntraced(function* (db, id) {
    yield* Effect.forEach(yield* db.users.list({}, []), (user) =>
      user.id === id ? Effect.void : db.users.remove({ id: user.id }),
    )
    return yield* db.analytics.activeByDay(everyDay)
  }),
}
