import { makeAccess } from "./access/access.ts"
import { makeAuth } from "./auth/anonymous.ts"
import { makeEvents } from "./events/events.ts"
import { makeTending } from "./events/tending.ts"
import type { Ports } from "./ports/index.ts"
import { makeApiKeys } from "./projects/api-keys.ts"
import { makeDevelopers } from "./projects/developers.ts"
import { makeMembers } from "./projects/members.ts"
import { makeProjects } from "./projects/projects.ts"
import { makeStreakExpiry } from "./streaks/expiry.ts"
import { makeGrantShield } from "./streaks/grant-shield.ts"
import { makeStreakReaction } from "./streaks/reaction.ts"
import { makeRefold } from "./streaks/refold.ts"
import { makeStreaks } from "./streaks/streaks.ts"
import { usersSeen } from "./users/seen-reaction.ts"
import { makeUsers } from "./users/users.ts"

/** The whole service as typed use cases over `ports`. It needs no server and has no I/O of its own. */
export const createEngagement = (ports: Ports) => {
  const reactions = [usersSeen, makeStreakReaction(ports)]
  const tending = makeTending(ports, reactions, makeRefold(ports), [makeStreakExpiry(ports)])
  const projects = makeProjects(ports)
  return {
    access: makeAccess(ports),
    apiKeys: makeApiKeys(ports),
    auth: makeAuth(ports),
    developers: makeDevelopers(ports),
    events: makeEvents(ports, tending),
    members: makeMembers(ports),
    projects,
    streaks: { ...makeStreaks(ports, reactions, tending), grantShield: makeGrantShield(ports, tending) },
    tending,
    users: makeUsers(ports, tending),
    /** What a worker serves. */
    workflows: [tending.tendProject],
  }
}

/** The whole service as typed use cases. */
export type Engagement = ReturnType<typeof createEngagement>
