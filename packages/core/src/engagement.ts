import { Effect } from "effect"
import { makeAccess } from "./access/access.ts"
import { makeAuth } from "./auth/auth.ts"
import type { MagicLinkOrigins } from "./auth/magic-link-origin.ts"
import { makeTending } from "./background/dispatcher.ts"
import { makeEntitlements } from "./entitlements/entitlements.ts"
import { makeEvents } from "./events/events.ts"
import { makeReadEvents } from "./events/read-events.ts"
import { makeExports } from "./exports/exports.ts"
import type { Ports } from "./ports/ports.ts"
import { makeApiKeys } from "./projects/api-keys.ts"
import { makeDevelopers } from "./projects/developers.ts"
import { makeMembers } from "./projects/members.ts"
import { makeProjects } from "./projects/projects.ts"
import { makeEvaluation } from "./segments/evaluation.ts"
import { makeSegments } from "./segments/segments.ts"
import { makeStreakExpiry } from "./streaks/expiry.ts"
import { makeGrantShield } from "./streaks/grant-shield.ts"
import { makeStreakReaction } from "./streaks/reaction.ts"
import { makeRefold } from "./streaks/rebuild.ts"
import { makeStreaks } from "./streaks/streaks.ts"
import { makeBulkUpdate } from "./users/bulk-update.ts"
import { makeDisable } from "./users/disable.ts"
import { makeUsers } from "./users/users.ts"
import { makeUsersSeen } from "./users/users-seen.ts"

/** What has to be done without anybody asking: reactions to events, deadlines, segments, and what was cut off. A worker needs no more. */
export const createBackground = (
  ports: Pick<Ports, "clock" | "control" | "ids" | "signals" | "tenants" | "workflows">,
) => {
  const reactions = [makeUsersSeen(ports), makeStreakReaction(ports)]
  const expiry = makeStreakExpiry(ports)
  const tending = makeTending(ports, reactions, makeRefold(ports), [expiry])
  const evaluation = makeEvaluation(ports, expiry)
  return {
    reactions,
    tending,
    evaluation,
    /** What a worker serves. */
    workflows: [tending.tendProject, evaluation.evaluateSegments, evaluation.evaluateSegment],
    /**
     * Finds and does what no workflow was started for, and starts the evaluation of segments whose time has come. To be
     * called at boot and every 30 seconds [E10].
     */
    reconcile: makeProjects(ports)
      .eraseAbandoned()
      .pipe(Effect.andThen(evaluation.sweep()), Effect.andThen(tending.sweep())),
  }
}

/** What has to be done without anybody asking. */
export type Background = ReturnType<typeof createBackground>

/** What can be set about the service as a whole. */
export interface EngagementOptions {
  /** Where magic links point to; to this machine where left out, which is of use in tests only. */
  readonly magicLinks?: MagicLinkOrigins
  /** Made from the ports where left out. */
  readonly background?: Background
}

const localLinks: MagicLinkOrigins = { fixed: null, app: "http://127.0.0.1:8080", allowLoopback: true }

/** The whole service as typed use cases over `ports`. It needs no server and has no I/O of its own. */
export const createEngagement = (ports: Ports, options: EngagementOptions = {}) => {
  const { magicLinks = localLinks, background = createBackground(ports) } = options
  const { reactions, tending } = background
  return {
    access: makeAccess(ports),
    apiKeys: makeApiKeys(ports),
    auth: makeAuth(ports, magicLinks),
    background,
    developers: makeDevelopers(ports),
    entitlements: makeEntitlements(ports),
    events: { ...makeEvents(ports, tending), ...makeReadEvents(ports) },
    exports: makeExports(ports),
    members: makeMembers(ports),
    projects: makeProjects(ports),
    segments: makeSegments(ports, background.evaluation),
    streaks: { ...makeStreaks(ports, reactions, tending), grantShield: makeGrantShield(ports, tending) },
    users: { ...makeUsers(ports, tending), bulkUpdate: makeBulkUpdate(ports), change: makeDisable(ports) },
  }
}

/** The whole service as typed use cases. */
export type Engagement = ReturnType<typeof createEngagement>
