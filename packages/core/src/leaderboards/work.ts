import type { BackgroundDb } from "../background/port.ts"
import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { rankXpTopic } from "../xp/award-xp.ts"
import type { XpDb } from "../xp/port.ts"
import type { LeaderboardsDb } from "./port.ts"
import { rankStreaks, rankXp } from "./rank-later.ts"
import { makeLeaderboardsReaction } from "./reaction.ts"
import { rebuildBoards, rebuildTopic } from "./rebuild.ts"
import { rankStreaksTopic } from "./streaks-topic.ts"

/** The background work of leaderboards: scores of new events, filling and rebuilding, XP and streaks of other origin. */
export const makeLeaderboardsWork = (
  ports: Pick<Ports, "clock">,
): FeatureWork<BackgroundDb & LeaderboardsDb & UsersDb & XpDb> => ({
  reactions: [makeLeaderboardsReaction(ports)],
  handlers: { [rebuildTopic]: rebuildBoards, [rankXpTopic]: rankXp, [rankStreaksTopic]: rankStreaks },
})
