import type { Reaction } from "../events/reaction.ts"

/** Moves the `last_seen_at` of users forward to their latest event. */
export const usersSeen: Reaction = (db, events) => {
  const latest = new Map<string, Date>()
  for (const { app_user_id, occurred_at } of events) {
    const known = latest.get(app_user_id)
    if (known === undefined || known < occurred_at) latest.set(app_user_id, occurred_at)
  }
  return db.users.seen([...latest].map(([id, at]) => ({ id, at })))
}
