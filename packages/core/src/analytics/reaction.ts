import { Effect } from "effect"
import type { Reaction } from "../background/reaction.ts"
import { isActivity } from "../events/event-names.ts"
import { utcDay } from "./days.ts"
import type { ActiveDay, ActiveDaysDb } from "./port.ts"
import { rebuildTopic } from "./rebuild.ts"

/** The name of the reaction: where it was introduced, the days of what was handled are noted. */
export const activityReactionName = "analytics.activity"

/**
 * Notes on which days users were active, by `occurred_at` of events that are activity [G0.4]. One statement per batch, sent with
 * the locks: the database writes the days while the streaks that were locked before are read and counted.
 */
export const activityReaction: Reaction<ActiveDaysDb> = {
  name: activityReactionName,
  rebuild: rebuildTopic,
  lock: (db, events) => {
    const days = new Map<string, ActiveDay>()
    for (const { app_user_id, event_name, occurred_at } of events) {
      if (!isActivity(event_name)) continue
      const day = utcDay(occurred_at)
      days.set(`${app_user_id}/${day}`, { app_user_id, day })
    }
    return days.size === 0 ? Effect.void : db.activeDays.add([...days.values()])
  },
  react: () => Effect.succeed([]),
}
