import type { FeatureWork } from "../background/work.ts"
import type { ActiveDaysDb } from "./port.ts"
import { activityReaction } from "./reaction.ts"
import { rebuildActiveDays, rebuildTopic } from "./rebuild.ts"

/** The background work of analytics: the days on which users were active. */
export const analyticsWork: FeatureWork<ActiveDaysDb> = {
  reactions: [activityReaction],
  handlers: { [rebuildTopic]: rebuildActiveDays },
}
