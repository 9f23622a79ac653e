import { Effect } from "effect"
import { makeAchievementsWork } from "./achievements/index.ts"
import { analyticsWork } from "./analytics/index.ts"
import { makeAuthWork } from "./auth/index.ts"
import { type Dispatcher, makeDispatcher, makeTurns } from "./background/index.ts"
import { makeSchedulesWork, type ScheduleRuns } from "./content/index.ts"
import { makeEventEffectsWork } from "./event-effects/index.ts"
import { makeFeedsWork } from "./feeds/index.ts"
import { makeGroupsWork } from "./groups/index.ts"
import { makeFindIntegration, makeSecretKeys } from "./integrations/index.ts"
import { makeLeaderboardsWork } from "./leaderboards/index.ts"
import { makeFilesJob, makeProjectFiles } from "./media/index.ts"
import { makeModerationWork } from "./moderation/index.ts"
import { makeProjects } from "./projects/index.ts"
import { type CampaignRuns, makeForgetSchedules, makePushWork } from "./push/index.ts"
import { defaultRetention, type RetentionSettings } from "./retention/index.ts"
import { type Evaluation, makeEvaluation, makeSegmentsWork } from "./segments/index.ts"
import { makeStreakExpiry, makeStreaksWork } from "./streaks/index.ts"
import { makeProcessSubscription, makeSubscriptionsWork } from "./subscriptions/index.ts"
import type { Ports, TenantDb } from "./tenant-db.ts"
import { signalUnknownZones } from "./time/unknown-zones.ts"
import { makeTrackingSessionsWork } from "./tracking-sessions/index.ts"
import { makeUsersWork } from "./users/index.ts"
import { makeProcessPaywall, makeWebhooksWork, type Processors } from "./webhooks/index.ts"
import { makeXpWork } from "./xp/index.ts"

type BackgroundPorts = Pick<
  Ports,
  "clock" | "control" | "ids" | "push" | "revocations" | "secrets" | "signals" | "storage" | "tenants" | "workflows"
>

/** Who processes the webhooks of each provider. */
export const makeProcessors = (ports: Pick<Ports, "clock" | "ids">): Processors<TenantDb> => ({
  subscription: makeProcessSubscription(ports),
  paywall: makeProcessPaywall(ports),
})

/** The options of the background work. */
export interface BackgroundOptions {
  /** For how long things are kept. By default as long as [I0.3] says. */
  readonly retention?: RetentionSettings
}

/** The background work: reactions to events, deadlines, segments, campaigns, and what was interrupted. It is all that a worker needs. */
export interface Background extends Dispatcher<TenantDb> {
  readonly evaluation: Evaluation
  readonly secretKeys: ReturnType<typeof makeSecretKeys>
  /** Starts and stops the workflows of campaigns. */
  readonly campaignRuns: CampaignRuns
  /** Makes and ends the workflows of content schedules. */
  readonly scheduleRuns: ScheduleRuns
  /** From now on no further batch is begun: what waits is left to others. */
  readonly stop: Effect.Effect<void>
  /** Does the work that was not queued or was interrupted. Call it at boot and every 30 seconds [E10]. */
  readonly poll: ReturnType<Dispatcher<TenantDb>["pollDue"]>
}

/**
 * The background work: reactions to events, deadlines, segments, and interrupted creations and removals of projects. Features are
 * listed only here; their reactions run in this order.
 */
export const createBackground = (
  ports: BackgroundPorts,
  { retention = defaultRetention }: BackgroundOptions = {},
): Background => {
  signalUnknownZones(ports.signals)
  const turns = makeTurns(ports)
  const evaluation = makeEvaluation(ports, makeStreakExpiry(ports), turns)
  const push = makePushWork(ports, {
    evaluation,
    findAccount: makeFindIntegration(ports),
    markPending: (projectId) => dispatcher.markPending(projectId),
    nudge: (projectId) => dispatcher.nudge(projectId),
    keepDeliveries: retention.push_deliveries,
  })
  const schedules = makeSchedulesWork(ports, retention.content_deliveries)
  const dispatcher: Dispatcher<TenantDb> = makeDispatcher<TenantDb>(
    ports,
    [
      makeUsersWork(ports),
      makeAuthWork(ports),
      makeStreaksWork(ports),
      analyticsWork,
      makeXpWork(ports),
      makeAchievementsWork(ports),
      makeLeaderboardsWork(ports),
      makeFeedsWork(ports, { keepDays: retention.feed_items }),
      makeSegmentsWork(evaluation),
      makeSubscriptionsWork(ports),
      makeGroupsWork(ports, retention.ended_invites),
      makeTrackingSessionsWork(ports),
      push.work,
      schedules.work,
      makeWebhooksWork(ports, makeProcessors(ports)),
      makeModerationWork(ports, retention.moderation_items),
      { tasks: [makeForgetSchedules(ports)] },
      { jobs: [makeFilesJob(ports)] },
      // The last one that has a reaction: it reads the notes of the others.
      makeEventEffectsWork(ports),
    ],
    turns,
  )
  const projectFiles = makeProjectFiles(ports)
  return {
    ...dispatcher,
    evaluation,
    secretKeys: makeSecretKeys(ports),
    campaignRuns: push.runs,
    scheduleRuns: schedules.runs,
    stop: Effect.andThen(dispatcher.stop, push.stop),
    poll: makeProjects(ports, projectFiles)
      .eraseAbandoned()
      .pipe(Effect.andThen(projectFiles.sweep()), Effect.andThen(dispatcher.pollDue())),
  }
}
