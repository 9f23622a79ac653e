import { Effect } from "effect"
import type { Reaction } from "../background/reaction.ts"
import { isActivity } from "../events/event-names.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "./port.ts"

/**
 * Moves `last_seen_at` forward to a user's latest event that is activity [G0.4], but not beyond now, because an app's clock may
 * be ahead. It locks the users of all events, also of those that are no activity: users come before all other rows, and are
 * locked at once in one order, so that a batch and a call that locks many users cannot wait for each other.
 */
export const makeUsersSeen = ({ clock }: Pick<Ports, "clock">): Reaction<UsersDb> => ({
  name: "users.seen",
  lock: (db, events) => {
    const now = clock.now()
    const latest = new Map<string, Date | null>()
    for (const { app_user_id, event_name, occurred_at } of events) {
      const known = latest.get(app_user_id) ?? null
      const at = isActivity(event_name) ? new Date(Math.min(occurred_at.getTime(), now.getTime())) : null
      if (known === null || (at !== null && known < at)) latest.set(app_user_id, at)
    }
    return db.users.seen([...latest].map(([id, at]) => ({ id, at })))
  },
  react: () => Effect.succeed([]),
})
