import type { BackgroundDb } from "../background/port.ts"
import type { FeatureWork } from "../background/work.ts"
import type { LeaderboardsDb } from "../leaderboards/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { makeStreakExpiry } from "./expiry.ts"
import type { StreaksDb } from "./port.ts"
import { makeStreakReaction } from "./reaction.ts"
import { makeRebuild, rebuildTopic } from "./rebuild.ts"

/** The background work of streaks: counting events, rebuilding after a change of rules, expiring. */
export const makeStreaksWork = (
  ports: Pick<Ports, "clock" | "ids">,
): FeatureWork<BackgroundDb & LeaderboardsDb & StreaksDb & UsersDb> => ({
  reactions: [makeStreakReaction(ports)],
  handlers: { [rebuildTopic]: makeRebuild(ports) },
  tasks: [makeStreakExpiry(ports)],
})
