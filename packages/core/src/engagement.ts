import { Effect } from "effect"
import { limitLookups, makeAccess } from "./access/index.ts"
import {
  type AchievementsDb,
  makeAchievements,
  makeAchievementsWork,
  userAchievementsSection,
} from "./achievements/index.ts"
import { type AnalyticsDb, analyticsWork, makeAnalytics } from "./analytics/index.ts"
import { type AuthDb, accountLinksSection, type MagicLinkOrigins, makeAuth } from "./auth/index.ts"
import {
  type BackgroundControlDb,
  type BackgroundDb,
  type Dispatcher,
  makeDeadLetters,
  makeDispatcher,
} from "./background/index.ts"
import {
  type ContentDb,
  type ContentSchedulesDb,
  contentItemsSection,
  makeClientItems,
  makeContentSchedules,
  makeItems,
  makeLibraries,
  makeRemoveLibrary,
  makeSchedulesWork,
  moderatedItems,
  releaseItems,
} from "./content/index.ts"
import {
  type CurrenciesDb,
  currencyTransactionsSection,
  makeCurrencies,
  makeMoveMoney,
  walletsSection,
} from "./currencies/index.ts"
import { type DeepLinksControlDb, type DeepLinksDb, makeDeepLinks } from "./deep-links/index.ts"
import { type EntitlementsDb, makeEntitlements, userEntitlementsSection } from "./entitlements/index.ts"
import { type EventEffectsDb, makeEventEffectsWork, makeRecordEffects } from "./event-effects/index.ts"
import { type EventsDb, engagementEventsSection, makeEvents, makeReadEvents } from "./events/index.ts"
import { type ExportSection, type ExportsDb, makeExports } from "./exports/index.ts"
import { departFeeds, type FeedsDb, feedItemsSection, makeFeeds, makeFeedsWork } from "./feeds/index.ts"
import {
  type GroupsDb,
  groupMembershipsSection,
  makeAdminGroups,
  makeDepartFromGroups,
  makeGroupInvites,
  makeGroups,
  makeGroupsWork,
  makeMemberships,
  moderatedGroups,
} from "./groups/index.ts"
import type { IdempotencyDb } from "./idempotency/index.ts"
import {
  type IntegrationsControlDb,
  makeFindIntegration,
  makeIntegrations,
  makeSecretKeys,
} from "./integrations/index.ts"
import {
  type LeaderboardsDb,
  leaderboardEntriesSection,
  leaderboardsWork,
  makeLeaderboards,
} from "./leaderboards/index.ts"
import { defaultLimits, type LimitSettings, makeLimits } from "./limits/index.ts"
import {
  defaultMediaLimits,
  expectMediaWork,
  type MediaControlDb,
  type MediaDb,
  type MediaLimits,
  makeFilesJob,
  makeMedia,
  makeMediaDeparture,
  makeProjectFiles,
  mediaAssetsSection,
} from "./media/index.ts"
import {
  conversationsSection,
  departFromMessaging,
  type MessagingDb,
  makeAdminMessaging,
  makeConversations,
  makeMessages,
  messagesSection,
  moderatedMessages,
} from "./messaging/index.ts"
import {
  type ModeratedContent,
  type ModerationDb,
  makeModerate,
  makeModerationQueue,
  makeModerationRules,
  makeModerationWork,
  makeReport,
  makeRulePreview,
  makeTrust,
  moderationReportsSection,
  trustLevelsSection,
} from "./moderation/index.ts"
import { makeOnboarding, type OnboardingDb, onboardingProgressSection } from "./onboarding/index.ts"
import type { Ports as PortsOver } from "./ports/ports.ts"
import { makeApiKeys, makeDevelopers, makeMembers, makeProjects, type ProjectsDb } from "./projects/index.ts"
import {
  makeCampaigns,
  makeForgetSchedules,
  makePushReceipts,
  makePushTokens,
  makePushWork,
  makeReadDeliveries,
  makeSchedulePush,
  makeTestPush,
  type PushDb,
  pushDeliveriesSection,
  pushTokensSection,
} from "./push/index.ts"
import { makeRedeem, makeReferrals, type ReferralsDb, referralClaimsSection } from "./referrals/index.ts"
import { blocksSection, departRelations, followsSection, makeRelations, type RelationsDb } from "./relations/index.ts"
import { defaultRetention, type RetentionSettings } from "./retention/index.ts"
import {
  departReviews,
  makeManageReviews,
  makeReviews,
  moderatedReviews,
  type ReviewsDb,
  reviewsSection,
} from "./reviews/index.ts"
import { makeRewards, type RewardsDb } from "./rewards/index.ts"
import {
  makeEvaluation,
  makeSegments,
  makeSegmentsWork,
  type SegmentsDb,
  segmentMembershipsSection,
} from "./segments/index.ts"
import {
  inventorySection,
  makeCatalog,
  makeInventory,
  makePurchases,
  makeStorefront,
  makeStores,
  purchasesSection,
  removePrices,
  type StoresDb,
  takePurchaseBack,
} from "./stores/index.ts"
import {
  makeGrantShield,
  makeStreakExpiry,
  makeStreaks,
  makeStreaksWork,
  makeTimelines,
  type StreaksDb,
  streakEventsSection,
  userStreaksSection,
} from "./streaks/index.ts"
import { makeProcessSubscription, makeSubscriptionsWork, type SubscriptionsDb } from "./subscriptions/index.ts"
import { signalUnknownZones } from "./time/unknown-zones.ts"
import {
  makeTrackingSessions,
  makeTrackingSessionsWork,
  type TrackingSessionsDb,
  trackingSessionsSection,
} from "./tracking-sessions/index.ts"
import {
  appUsersSection,
  type Departure,
  makeBulkUpdate,
  makeChangeUser,
  makeModeratedUsers,
  makeUsers,
  makeUsersWork,
  type UsersDb,
} from "./users/index.ts"
import {
  makeCheckWebhook,
  makeInboxReading,
  makeProcessPaywall,
  makeReceivePaywall,
  makeReceiveSubscription,
  makeWebhooksWork,
  type Processors,
  type WebhooksDb,
  webhookInboxSection,
} from "./webhooks/index.ts"
import { makeXp, makeXpWork, type XpDb, xpEntriesSection } from "./xp/index.ts"

/** A project's database: the sum of what the features store there. */
export interface TenantDb
  extends AchievementsDb,
    AnalyticsDb,
    AuthDb,
    BackgroundDb,
    ContentDb,
    ContentSchedulesDb,
    CurrenciesDb,
    DeepLinksDb,
    EntitlementsDb,
    EventEffectsDb,
    EventsDb,
    ExportsDb,
    FeedsDb,
    GroupsDb,
    IdempotencyDb,
    LeaderboardsDb,
    MessagingDb,
    ModerationDb,
    MediaDb,
    OnboardingDb,
    PushDb,
    ReferralsDb,
    RelationsDb,
    ReviewsDb,
    RewardsDb,
    SegmentsDb,
    StoresDb,
    StreaksDb,
    SubscriptionsDb,
    TrackingSessionsDb,
    UsersDb,
    WebhooksDb,
    XpDb {}

/** The control database: the sum of what the features store there. */
export interface ControlDb
  extends BackgroundControlDb,
    DeepLinksControlDb,
    IntegrationsControlDb,
    MediaControlDb,
    ProjectsDb {}

/** All that the service needs from outside. */
export interface Ports extends PortsOver<TenantDb, ControlDb> {}

/** The sections of a user's export, in the spec's order (spec: data-access bundle), then those of further features. */
export const exportSections: ReadonlyArray<ExportSection<TenantDb>> = [
  appUsersSection,
  accountLinksSection,
  pushTokensSection,
  userEntitlementsSection,
  segmentMembershipsSection,
  userStreaksSection,
  streakEventsSection,
  userAchievementsSection,
  leaderboardEntriesSection,
  engagementEventsSection,
  xpEntriesSection,
  walletsSection,
  currencyTransactionsSection,
  inventorySection,
  purchasesSection,
  onboardingProgressSection,
  referralClaimsSection,
  trackingSessionsSection,
  pushDeliveriesSection,
  webhookInboxSection,
  followsSection,
  blocksSection,
  contentItemsSection,
  groupMembershipsSection,
  conversationsSection,
  messagesSection,
  feedItemsSection,
  reviewsSection,
  moderationReportsSection,
  trustLevelsSection,
  mediaAssetsSection,
]

/** What a user takes part in and gives back before being removed, in the order of locks [I0.4]. */
const makeDepartures = (ports: Pick<Ports, "clock">): ReadonlyArray<Departure<TenantDb>> => [
  makeDepartFromGroups(ports),
  departRelations,
  departFeeds,
  releaseItems,
  departFromMessaging,
  departReviews,
  makeMediaDeparture(ports),
]

/** What moderators see and decide on beside users: a line per kind of content [I6.2]. */
export const moderatedContents: ReadonlyArray<ModeratedContent<TenantDb>> = [
  moderatedItems,
  moderatedGroups,
  moderatedMessages,
  moderatedReviews,
]

type BackgroundPorts = Pick<
  Ports,
  "clock" | "control" | "ids" | "push" | "revocations" | "secrets" | "signals" | "storage" | "tenants" | "workflows"
>

/** Who processes the webhooks of each provider. */
const makeProcessors = (ports: Pick<Ports, "clock" | "ids">): Processors<TenantDb> => ({
  subscription: makeProcessSubscription(ports),
  paywall: makeProcessPaywall(ports),
})

/** The options of the background work. */
export interface BackgroundOptions {
  /** For how long things are kept. By default as long as [I0.3] says. */
  readonly retention?: RetentionSettings
}

/**
 * The background work: reactions to events, deadlines, segments, and interrupted creations and removals of projects. It is all
 * that a worker needs. Features are listed only here; their reactions run in this order.
 */
export const createBackground = (ports: BackgroundPorts, { retention = defaultRetention }: BackgroundOptions = {}) => {
  signalUnknownZones(ports.signals)
  const evaluation = makeEvaluation(ports, makeStreakExpiry(ports))
  const push = makePushWork(ports, {
    evaluation,
    findAccount: makeFindIntegration(ports),
    markPending: (projectId) => dispatcher.markPending(projectId),
    nudge: (projectId) => dispatcher.nudge(projectId),
    keepDeliveries: retention.push_deliveries,
  })
  const schedules = makeSchedulesWork(ports)
  const dispatcher: Dispatcher<TenantDb> = makeDispatcher<TenantDb>(ports, [
    makeUsersWork(ports),
    analyticsWork,
    makeStreaksWork(ports),
    makeXpWork(ports),
    makeAchievementsWork(ports),
    leaderboardsWork,
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
  ])
  const projectFiles = makeProjectFiles(ports)
  return {
    ...dispatcher,
    evaluation,
    secretKeys: makeSecretKeys(ports),
    /** Starts and stops the workflows of campaigns. */
    campaignRuns: push.runs,
    /** Makes and ends the workflows of content schedules. */
    scheduleRuns: schedules.runs,
    /** From now on no further batch is begun: what waits is left to others. */
    stop: Effect.andThen(dispatcher.stop, push.stop),
    /** Does the work that was not queued or was interrupted. Call it at boot and every 30 seconds [E10]. */
    poll: makeProjects(ports, projectFiles)
      .eraseAbandoned()
      .pipe(Effect.andThen(projectFiles.sweep()), Effect.andThen(dispatcher.pollDue())),
  }
}

/** The background work. */
export type Background = ReturnType<typeof createBackground>

/** The options of the service. */
export interface EngagementOptions extends BackgroundOptions {
  /** The origins of magic links. The default is this machine, for tests. */
  readonly magicLinks?: MagicLinkOrigins
  /** The service's own hosts. No project can use one of them, or a subdomain, for its links. None by default. */
  readonly hosts?: ReadonlyArray<string>
  /** The limits of calls and guesses. By default those of a service that is not embedded [B14]. */
  readonly limits?: LimitSettings
  /** The server that stands in for FCM: service accounts may have a `token_uri` there [H4.2]. None by default. */
  readonly pushBUrl?: string | null
  /** How much projects may store. 100 MB a file and 10 GB a project by default. */
  readonly media?: MediaLimits
  /** Created from the ports and these options by default. */
  readonly background?: Background
}

const localLinks: MagicLinkOrigins = { fixed: null, app: "http://127.0.0.1:8080", allowLoopback: true }

/** The whole service as typed use cases over `ports`. It needs no server and has no I/O of its own. */
export const createEngagement = (ports: Ports, options: EngagementOptions = {}) => {
  const { magicLinks = localLinks, hosts = [], background = createBackground(ports, options) } = options
  const limit = limitLookups()
  const settings = options.limits ?? defaultLimits
  const access = makeAccess(ports, limit)
  const limits = makeLimits(ports, settings, access.projectLimits)
  const findIntegration = makeFindIntegration(ports, limit)
  const moderate = makeModerate(ports, limit)
  const schedules = makeContentSchedules(ports, background.scheduleRuns)
  const removeLibrary = makeRemoveLibrary(ports)
  const contents = [...moderatedContents, makeModeratedUsers(ports.ids)]
  const checkWebhook = makeCheckWebhook(findIntegration, limits)
  const users = makeUsers(ports, background, makeDepartures(ports), moderate)
  return {
    access,
    achievements: makeAchievements(ports, background, background.evaluation),
    adminMessaging: makeAdminMessaging(ports),
    analytics: makeAnalytics(ports),
    apiKeys: makeApiKeys(ports),
    auth: makeAuth(ports, magicLinks, limits, moderate),
    background,
    catalog: makeCatalog(ports),
    content: {
      items: makeItems(ports, moderate),
      libraries: { ...makeLibraries(ports), remove: schedules.removeWithLibrary(removeLibrary) },
      ofClients: makeClientItems(ports, moderate),
      schedules,
    },
    conversations: makeConversations(ports, moderate, limits.newConversation),
    currencies: { ...makeCurrencies(ports, removePrices), ...makeMoveMoney(ports, takePurchaseBack) },
    deadLetters: makeDeadLetters(ports, background),
    deepLinks: makeDeepLinks(ports, background, limit, hosts),
    developers: makeDevelopers(ports),
    entitlements: makeEntitlements(ports),
    events: {
      ...makeEvents(ports, background, limits, access),
      ...makeRecordEffects(ports, background, limits, access),
      ...makeReadEvents(ports),
    },
    exports: makeExports(ports, exportSections),
    feeds: makeFeeds(ports, background),
    groups: {
      ...makeGroups(ports, background, limits, moderate),
      ...makeMemberships(ports, background, limits),
      invites: makeGroupInvites(ports, background),
      admin: makeAdminGroups(ports, background, moderate),
    },
    integrations: makeIntegrations(ports, options.pushBUrl ?? null),
    inventory: makeInventory(ports, background),
    leaderboards: makeLeaderboards(ports, background),
    limits,
    media: makeMedia(ports, options.media ?? defaultMediaLimits, limit, limits.newMedia),
    members: makeMembers(ports),
    messages: makeMessages(ports, background, moderate),
    moderation: {
      preview: makeRulePreview(ports, contents),
      queue: makeModerationQueue(ports, contents),
      report: makeReport(ports, contents, limits),
      rules: makeModerationRules(ports),
      trust: makeTrust(ports),
    },
    onboarding: makeOnboarding(ports, background),
    projects: makeProjects(ports, makeProjectFiles(ports), {
      count: limits.projectCreation,
      owned: settings.owned_projects,
    }),
    referrals: { ...makeReferrals(ports), redeem: makeRedeem(ports, background, limits) },
    purchases: makePurchases(ports, background),
    pushCampaigns: {
      ...makeCampaigns(ports, background.campaignRuns, background.evaluation),
      schedule: makeSchedulePush(ports, background.campaignRuns),
      test: makeTestPush(ports, makeFindIntegration(ports)),
    },
    pushTokens: makePushTokens(ports),
    pushDeliveries: makeReadDeliveries(ports),
    pushReceipts: makePushReceipts(ports, background),
    relations: makeRelations(ports),
    reviews: { ...makeReviews(ports, background, moderate), manage: makeManageReviews(ports) },
    rewards: makeRewards(ports, background),
    segments: makeSegments(ports, background.evaluation),
    stores: { ...makeStores(ports), ...makeStorefront(ports) },
    streaks: {
      ...makeStreaks(ports, background, access),
      grantShield: makeGrantShield(ports, background),
      timelines: makeTimelines(ports),
    },
    trackingSessions: makeTrackingSessions(ports, background),
    users: {
      ...users,
      /** Removes a user; their files follow by the job of the project. */
      remove: (projectId: string, userId: string) =>
        Effect.andThen(expectMediaWork(ports.control, projectId, ports.clock.now()), users.remove(projectId, userId)),
      bulkUpdate: makeBulkUpdate(ports),
      change: makeChangeUser(ports, background, moderate),
    },
    webhooks: {
      ...makeInboxReading(ports, background, findIntegration, makeProcessors(ports)),
      receivePaywall: makeReceivePaywall(ports, background, checkWebhook),
      receiveSubscription: makeReceiveSubscription(ports, background, checkWebhook),
    },
    xp: makeXp(ports, background),
  }
}

/** The whole service as typed use cases. */
export type Engagement = ReturnType<typeof createEngagement>
