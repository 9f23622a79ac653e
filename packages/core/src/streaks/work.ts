import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { makeStreakExpiry } from "./expiry.ts"
import type { StreaksDb } from "./port.ts"
import { makeStreakReaction } from "./reaction.ts"
import { makeRebuild, rebuildTopic } from "./rebuild.ts"

/** What streaks do in the background: count events, rebuild after a change of rules, expire. */
export const makeStreaksWork = (ports: Pick<Ports, "clock" | "ids">): FeatureWork<StreaksDb & UsersDb> => ({
  reactions: [makeStreakReaction(ports)],
  handlers: { [rebuildTopic]: makeRebuild(ports) },
  tasks: [makeStreakExpiry(ports)],
})
