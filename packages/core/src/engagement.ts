import { Effect } from "effect"
import { limitLookups, makeAccess } from "./access/index.ts"
import { makeAchievements, makeUserAchievements } from "./achievements/index.ts"
import { makeAnalytics } from "./analytics/index.ts"
import { type MagicLinkOrigins, makeAuth } from "./auth/index.ts"
import { makeDeadLetters, makeWaitingWork } from "./background/index.ts"
import { type Background, type BackgroundOptions, createBackground, makeProcessors } from "./background-work.ts"
import { makeClientItems, makeContentSchedules, makeItems, makeLibraries, makeRemoveLibrary } from "./content/index.ts"
import { makeCurrencies, makeMoveMoney } from "./currencies/index.ts"
import { makeDeepLinks } from "./deep-links/index.ts"
import { makeEntitlements } from "./entitlements/index.ts"
import { makeRecordEffects } from "./event-effects/index.ts"
import { makeEvents, makeReadEvents } from "./events/index.ts"
import { makeExports } from "./exports/index.ts"
import { exportSections, makeDepartures, moderatedContents } from "./feature-lists.ts"
import { makeFeeds } from "./feeds/index.ts"
import { makeAdminGroups, makeGroupInvites, makeGroups, makeMemberships } from "./groups/index.ts"
import { inputRules, type WithInputs, withInputs } from "./inputs/index.ts"
import { makeFindIntegration, makeIntegrations } from "./integrations/index.ts"
import { makeLeaderboards } from "./leaderboards/index.ts"
import { defaultLimits, type LimitSettings, makeLimits } from "./limits/index.ts"
import { defaultLiveSettings, type LiveSettings, makeLive } from "./live/index.ts"
import { defaultMediaLimits, expectMediaWork, type MediaLimits, makeMedia, makeProjectFiles } from "./media/index.ts"
import { makeAdminMessaging, makeConversations, makeMessages } from "./messaging/index.ts"
import {
  type ModeratedContent,
  makeModerate,
  makeModerationQueue,
  makeModerationRules,
  makeReport,
  makeRulePreview,
  makeTrust,
} from "./moderation/index.ts"
import { makeOnboarding } from "./onboarding/index.ts"
import { expectAlike } from "./options/expect-alike.ts"
import { expectKnownNames, expectKnownParts } from "./options/known-names.ts"
import { expectPorts } from "./ports/expect-ports.ts"
import { makeApiKeys, makeDevelopers, makeInProject, makeMembers, makeProjects } from "./projects/index.ts"
import {
  makeCampaigns,
  makePushReceipts,
  makePushTokens,
  makeReadDeliveries,
  makeSchedulePush,
  makeTestPush,
} from "./push/index.ts"
import { makeRedeem, makeReferrals } from "./referrals/index.ts"
import { makeRefusals } from "./refusals/index.ts"
import { makeRelations } from "./relations/index.ts"
import { defaultRetention } from "./retention/index.ts"
import { makeManageReviews, makeReviews } from "./reviews/index.ts"
import { makeRewards } from "./rewards/index.ts"
import { makeSegments } from "./segments/index.ts"
import {
  makeCatalog,
  makeInventory,
  makePurchases,
  makeStorefront,
  makeStores,
  removePrices,
  takePurchaseBack,
} from "./stores/index.ts"
import { makeGrantShield, makeStreaks, makeTimelines } from "./streaks/index.ts"
import type { Ports, TenantDb } from "./tenant-db.ts"
import { makeTrackingSessions } from "./tracking-sessions/index.ts"
import type { UseCases } from "./use-cases.ts"
import { makeBulkUpdate, makeChangeUser, makeModeratedUsers, makeUsers } from "./users/index.ts"
import {
  makeCheckWebhook,
  makeInboxReading,
  makeReceivePaywall,
  makeReceiveSubscription,
  makeTestWebhook,
} from "./webhooks/index.ts"
import { makeXp } from "./xp/index.ts"

/** The options of the service. */
export interface EngagementOptions extends BackgroundOptions {
  /** The origins of magic links. The default is this machine, for tests. */
  readonly magicLinks?: MagicLinkOrigins
  /** The service's own hosts. No project can use one of them, or a subdomain, for its links. None by default. */
  readonly hosts?: ReadonlyArray<string>
  /** The limits of calls and guesses. By default those of a service that is not embedded [B14]. */
  readonly limits?: LimitSettings
  /** How many streams there may be. */
  readonly live?: LiveSettings
  /** The server that stands in for FCM: service accounts may have a `token_uri` there [H4.2]. None by default. */
  readonly pushBUrl?: string | null
  /** How much projects may store. 100 MB a file and 10 GB a project by default. */
  readonly media?: MediaLimits
  /**
   * Whether callers have found a project before they call, as the server does by its keys: one that is gone by then is unavailable.
   * By default it is `ProjectNotFound`, for which the control database is asked once a project's database is not there.
   */
  readonly knownProjects?: boolean
  /** Created from the ports and these options by default. */
  readonly background?: Background
}

/** The names of the options of the service, each with an example of what it is: see `expectAlike`. */
export const engagementOptionNames: Readonly<Record<keyof EngagementOptions, unknown>> = {
  magicLinks: true,
  hosts: ["hearth.example"],
  limits: true,
  live: true,
  pushBUrl: "https://push.example",
  media: true,
  retention: true,
  knownProjects: false,
  background: true,
}

const localLinks: MagicLinkOrigins = { fixed: null, app: "http://127.0.0.1:8080", allowLoopback: true }

/** What the options have that are made of options. */
const optionParts = {
  magicLinks: { ...localLinks, allowLoopback: false },
  limits: defaultLimits,
  live: defaultLiveSettings,
  media: defaultMediaLimits,
  retention: defaultRetention,
}

const makeUseCases = (ports: Ports, options: EngagementOptions): UseCases => {
  const { magicLinks = localLinks, background = createBackground(ports, options) } = options
  const limit = limitLookups()
  const settings = options.limits ?? defaultLimits
  const access = makeAccess(ports, limit)
  const limits = makeLimits(ports, settings, access.projectLimits)
  const findIntegration = makeFindIntegration(ports, limit)
  const moderate = makeModerate(ports, limit)
  const schedules = makeContentSchedules(ports, background.scheduleRuns)
  const removeLibrary = makeRemoveLibrary(ports)
  // Written out: which of the two types the array would have depends on the order in which the compiler meets them.
  const contents: ReadonlyArray<ModeratedContent<TenantDb>> = [...moderatedContents, makeModeratedUsers(ports.ids)]
  const checkWebhook = makeCheckWebhook(findIntegration, limits)
  const receive = {
    paywall: makeReceivePaywall(ports, background, checkWebhook),
    subscription: makeReceiveSubscription(ports, background, checkWebhook),
  }
  const users = makeUsers(ports, background, makeDepartures(ports), moderate)
  return {
    access,
    achievements: {
      ...makeUserAchievements(ports, background),
      ...makeAchievements(ports, background, background.evaluation),
    },
    adminMessaging: makeAdminMessaging(ports),
    analytics: makeAnalytics(ports),
    apiKeys: makeApiKeys(ports),
    auth: makeAuth(ports, magicLinks, limits, moderate, background),
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
    deepLinks: makeDeepLinks(ports, background, limit, options.hosts ?? []),
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
    live: makeLive(ports, options.live ?? defaultLiveSettings),
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
    refusals: makeRefusals(ports),
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
        Effect.andThen(expectMediaWork(ports, projectId, ports.clock.now()), users.remove(projectId, userId)),
      bulkUpdate: makeBulkUpdate(ports),
      change: makeChangeUser(ports, background, moderate),
    },
    waitingWork: makeWaitingWork(ports),
    webhooks: {
      ...makeInboxReading(ports, background, findIntegration, makeProcessors(ports)),
      receivePaywall: receive.paywall,
      receiveSubscription: receive.subscription,
      test: makeTestWebhook(ports, findIntegration, receive),
    },
    xp: makeXp(ports, background),
  }
}

/**
 * The whole service as typed use cases over `ports`. It needs no server and has no I/O of its own. What may be left out of a request may
 * be left out here, with the same defaults; records are checked in the same way, and an id that is no uuid is one that nobody has.
 *
 * The text of a use case names the codes that it fails with, in the order of its checks where that matters. Beside them it fails with
 * `INVALID_INPUT` where it takes a record or options and they are not valid [A5]; and one of a project with `NOT_FOUND` (its class is
 * `ProjectNotFound`) where there is no such project, `TENANT_UNAVAILABLE` and `TENANT_BUSY` [A3]. Where nobody can be answered, all of them die
 * with `ServiceUnavailable`. A port that is missing, a port or an option that there is not, and an option that is of another
 * kind, is a `TypeError`.
 */
export const createEngagement = (ports: Ports, options: EngagementOptions = {}): Engagement => {
  expectPorts(ports)
  expectKnownNames("option", options, engagementOptionNames)
  expectKnownParts(options, optionParts, { whole: true })
  expectAlike(options, { ...engagementOptionNames, ...optionParts })
  return withInputs(
    makeUseCases(ports, options),
    inputRules,
    options.knownProjects === true ? undefined : makeInProject(ports.control),
  )
}

/** The whole service as typed use cases. */
export interface Engagement extends WithInputs<UseCases, typeof inputRules> {}
