import { Effect } from "effect"
import type { Departure } from "../users/departure.ts"
import type { ModerationDb } from "./port.ts"

/** What moderators see of a user's name: it goes with the user, the item stays [I0.4]. */
export const departFromModeration: Departure<ModerationDb> = (db, userId) =>
  Effect.as(db.moderationQueue.clearExcerpts("user", [userId]), false)
