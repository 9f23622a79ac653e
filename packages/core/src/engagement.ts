import { Effect } from "effect"
import { makeAccess } from "./access/access.ts"
import { makeAuth } from "./auth/auth.ts"
import type { MagicLinkOrigins } from "./auth/magic-link-origin.ts"
import { makeDeadLetters } from "./background/dead-letters.ts"
import { makeDispatcher } from "./background/dispatcher.ts"
import type { Ports, TenantDb } from "./databases.ts"
import { makeEntitlements } from "./entitlements/entitlements.ts"
import { makeEvents } from "./events/events.ts"
import { makeReadEvents } from "./events/read-events.ts"
import { exportSections } from "./export-sections.ts"
import { makeExports } from "./exports/exports.ts"
import { makeApiKeys } from "./projects/api-keys.ts"
import { makeDevelopers } from "./projects/developers.ts"
import { makeMembers } from "./projects/members.ts"
import { makeProjects } from "./projects/projects.ts"
import { makeEvaluation } from "./segments/evaluation.ts"
import { makeSegments } from "./segments/segments.ts"
import { makeSegmentsWork } from "./segments/work.ts"
import { makeStreakExpiry } from "./streaks/expiry.ts"
import { makeGrantShield } from "./streaks/grant-shield.ts"
import { makeStreaks } from "./streaks/streaks.ts"
import { makeStreaksWork } from "./streaks/work.ts"
import { makeBulkUpdate } from "./users/bulk-update.ts"
import { makeDisable } from "./users/disable.ts"
import { makeUsers } from "./users/users.ts"
import { makeUsersWork } from "./users/work.ts"

type BackgroundPorts = Pick<Ports, "clock" | "control" | "ids" | "signals" | "tenants" | "workflows">

/**
 * What has to be done without anybody asking: reactions to events, deadlines, segments, and what was cut off. A worker needs no
 * more. Features are listed here and nowhere else; their reactions run in this order.
 */
export const createBackground = (ports: BackgroundPorts) => {
  const evaluation = makeEvaluation(ports, makeStreakExpiry(ports))
  const dispatcher = makeDispatcher<TenantDb>(ports, [
    makeUsersWork(ports),
    makeStreaksWork(ports),
    makeSegmentsWork(evaluation),
  ])
  return {
    ...dispatcher,
    evaluation,
    /** Does what no workflow was started for, or was cut off. To be called at boot and every 30 seconds [E10]. */
    poll: makeProjects(ports).eraseAbandoned().pipe(Effect.andThen(dispatcher.pollDue())),
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
  return {
    access: makeAccess(ports),
    apiKeys: makeApiKeys(ports),
    auth: makeAuth(ports, magicLinks),
    background,
    deadLetters: makeDeadLetters(ports, background),
    developers: makeDevelopers(ports),
    entitlements: makeEntitlements(ports),
    events: { ...makeEvents(ports, background), ...makeReadEvents(ports) },
    exports: makeExports(ports, exportSections),
    members: makeMembers(ports),
    projects: makeProjects(ports),
    segments: makeSegments(ports, background.evaluation),
    streaks: { ...makeStreaks(ports, background), grantShield: makeGrantShield(ports, background) },
    users: { ...makeUsers(ports, background), bulkUpdate: makeBulkUpdate(ports), change: makeDisable(ports) },
  }
}

/** The whole service as typed use cases. */
export type Engagement = ReturnType<typeof createEngagement>
