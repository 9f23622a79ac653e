import { Effect } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import type { Reaction } from "../background/reaction.ts"
import { isActivity } from "../events/event-names.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "./port.ts"

/** The ids of users whose rows the batch has locked like `users.lockMany`, as far as they exist. */
export const lockedUsersNote = batchNote<string>("users.locked")

/**
 * Moves `last_seen_at` forward to a user's latest event that is activity [G0.4], but not beyond now, because an app's clock may
 * be ahead.
 */
export const makeUsersSeen = ({ clock }: Pick<Ports, "clock">): Reaction<UsersDb> => ({
  name: "users.seen",
  // It holds the users, who come before all other rows.
  lock: (db, events, notes) => {
    const now = clock.now()
    const latest = new Map<string, Date>()
    for (const { app_user_id, event_name, occurred_at } of events) {
      if (!isActivity(event_name)) continue
      const at = new Date(Math.min(occurred_at.getTime(), now.getTime()))
      const known = latest.get(app_user_id)
      if (known === undefined || known < at) latest.set(app_user_id, at)
    }
    notes.add(lockedUsersNote, [...latest.keys()])
    return db.users.seen([...latest].map(([id, at]) => ({ id, at })))
  },
  react: () => Effect.succeed([]),
})
