import type { Engagement } from "@hearth/core"
import type { Route, RouteGroup } from "../http/routing/route.ts"
import { achievementRoutes } from "./achievements.ts"
import { analyticsRoutes } from "./analytics.ts"
import { authRoutes } from "./auth.ts"
import { backgroundRoutes } from "./background.ts"
import { catalogRoutes } from "./catalog.ts"
import { clientItemRoutes } from "./content/client-items.ts"
import { itemRoutes } from "./content/items.ts"
import { libraryRoutes } from "./content/libraries.ts"
import { scheduleRoutes } from "./content/schedules.ts"
import { currencyRoutes } from "./currencies.ts"
import { deepLinkRoutes } from "./deep-links.ts"
import { developerRoutes } from "./developers.ts"
import { entitlementRoutes } from "./entitlements.ts"
import { eventRoutes } from "./events.ts"
import { exportRoutes } from "./exports.ts"
import { feedRoutes } from "./feeds/feeds.ts"
import { adminGroupRoutes } from "./groups/admin.ts"
import { clientGroupRoutes } from "./groups/client.ts"
import { groupInviteRoutes } from "./groups/invites.ts"
import { integrationRoutes } from "./integrations.ts"
import { leaderboardRoutes } from "./leaderboards.ts"
import { liveRoutes } from "./live.ts"
import { mediaAssetRoutes } from "./media/assets.ts"
import { mediaFolderRoutes } from "./media/folders.ts"
import { adminMessagingRoutes } from "./messaging/admin.ts"
import { clientMessagingRoutes } from "./messaging/client.ts"
import { moderationRoutes } from "./moderation/moderation.ts"
import { reportRoutes } from "./moderation/reports.ts"
import { onboardingRoutes } from "./onboarding.ts"
import { projectRoutes } from "./projects.ts"
import { pushCampaignRoutes } from "./push/campaigns.ts"
import { pushDeliveryRoutes } from "./push/deliveries.ts"
import { pushTokenRoutes } from "./push/tokens.ts"
import { referralRoutes } from "./referrals.ts"
import { refusalRoutes } from "./refusals.ts"
import { relationRoutes } from "./relations/relations.ts"
import { adminReviewRoutes } from "./reviews/admin-reviews.ts"
import { clientReviewRoutes } from "./reviews/client-reviews.ts"
import { rewardRoutes } from "./rewards.ts"
import { segmentRoutes } from "./segments.ts"
import { storeRoutes } from "./stores.ts"
import { streakRoutes } from "./streaks.ts"
import { trackingSessionRoutes } from "./tracking-sessions.ts"
import { userRoutes } from "./users.ts"
import { webhookRoutes } from "./webhooks.ts"
import { xpRoutes } from "./xp.ts"

/** The whole API, by feature. */
export const routeGroups: ReadonlyArray<RouteGroup<Engagement>> = [
  {
    title: "Authentication",
    description:
      "How users of an app sign in: anonymously, by email and password, by a mailed link, or with Apple or Google. An anonymous user who signs up later keeps everything. A session token lives for minutes and a refresh token for weeks.",
    routes: authRoutes,
  },
  {
    title: "Users",
    description: "The people who use an app: their profile, the properties that segments look at, and their removal.",
    routes: userRoutes,
  },
  {
    title: "Events",
    description:
      "What users do. Streaks, achievements, XP, leaderboards, segments and feeds all follow from the log of events. An event with an `event_id` is recorded once, however often it is sent.",
    routes: eventRoutes,
  },
  {
    title: "Streaks",
    description:
      "Something done every day or every week in a row. An event of the qualifying name counts a period; freezes bridge periods that were missed.",
    routes: streakRoutes,
  },
  {
    title: "Achievements",
    description: "Goals that users unlock by what they do, with XP as a prize and progress on the way there.",
    routes: achievementRoutes,
  },
  {
    title: "XP",
    description:
      "Experience points: what events are worth, the levels that totals reach, and a ledger that says where every point came from.",
    routes: xpRoutes,
  },
  {
    title: "Leaderboards",
    description: "Users ranked by what they did within a day, a week, a month or since ever.",
    routes: leaderboardRoutes,
  },
  {
    title: "Developers",
    description:
      "The accounts of those who build apps. A developer signs up, makes a project and calls the admin plane with an access token.",
    routes: developerRoutes,
  },
  {
    title: "Projects",
    description:
      "A project is one app with a database of its own, its client keys, and the developers who may work on it.",
    routes: projectRoutes,
  },
  {
    title: "Integrations",
    description:
      "The settings and secrets of outside services, such as push and subscriptions. Secrets are written and never answered.",
    routes: integrationRoutes,
  },
  {
    title: "Entitlements",
    description: "What a user has access to: bought by subscription or granted by hand.",
    routes: entitlementRoutes,
  },
  {
    title: "Exports",
    description:
      "Users, events and everything that is stored about one user, as files that are sent while they are made.",
    routes: exportRoutes,
  },
  {
    title: "Segments",
    description:
      "Groups of users by rules about their properties and events. Members are found in the background; a segment explains why a user is in it.",
    routes: segmentRoutes,
  },
  {
    title: "Rewards",
    description: "Currencies, XP, items and entitlements, given to a user in one step.",
    routes: rewardRoutes,
  },
  {
    title: "Catalog",
    description: "The items that users can own.",
    routes: catalogRoutes,
  },
  {
    title: "Stores",
    description: "Shops where users buy items with the currencies of the app, and the inventory of what they own.",
    routes: storeRoutes,
  },
  {
    title: "Referrals",
    description: "Codes by which users bring others, with rewards for both sides.",
    routes: referralRoutes,
  },
  {
    title: "Onboarding",
    description: "Flows of steps that new users go through, and where they stop.",
    routes: onboardingRoutes,
  },
  {
    title: "Currencies",
    description:
      "Coins, gems, energy: wallets with a ledger. Amounts have at most 4 decimals and are exact; a currency can recharge by itself.",
    routes: currencyRoutes,
  },
  {
    title: "Content",
    description: "Libraries of texts, and schedules that deliver one item at a time.",
    routes: [...clientItemRoutes, ...libraryRoutes, ...itemRoutes, ...scheduleRoutes],
  },
  {
    title: "Deep links",
    description: "Short links that open the app where it is installed and count how often they are opened.",
    routes: deepLinkRoutes,
  },
  {
    title: "Tracking sessions",
    description: "How long users have the app open.",
    routes: trackingSessionRoutes,
  },
  {
    title: "Analytics",
    description: "Sessions, active users and retention, counted by day and week.",
    routes: analyticsRoutes,
  },
  {
    title: "Groups",
    description: "Groups that users make and join: teams, classes, clubs.",
    routes: [...clientGroupRoutes, ...groupInviteRoutes, ...adminGroupRoutes],
  },
  {
    title: "Push",
    description: "Devices, campaigns to segments in each user's own time zone, and what became of each push.",
    routes: [...pushTokenRoutes, ...pushCampaignRoutes, ...pushDeliveryRoutes],
  },
  {
    title: "Feeds",
    description: "What users did, as a list for others to see. Rules say which events make an item.",
    routes: feedRoutes,
  },
  {
    title: "Relations",
    description: "Who follows whom, and who has blocked whom.",
    routes: relationRoutes,
  },
  {
    title: "Messaging",
    description: "Conversations of two users or of a group.",
    routes: [...clientMessagingRoutes, ...adminMessagingRoutes],
  },
  {
    title: "Reviews",
    description: "Stars and texts of users about anything that has an id. Others see a review once it is approved.",
    routes: [...adminReviewRoutes, ...clientReviewRoutes],
  },
  {
    title: "Media",
    description:
      "Files: a call answers an address, the file is sent there with PUT, a second call says that it is there.",
    routes: [...mediaAssetRoutes, ...mediaFolderRoutes],
  },
  {
    title: "Moderation",
    description:
      "Rules that hold texts back, a queue for moderators, reports of users, and how far each user is trusted.",
    routes: [...moderationRoutes, ...reportRoutes],
  },
  {
    title: "Webhooks",
    description:
      "What the subscription and the paywall provider send. Each is kept as it came and can be processed again.",
    routes: webhookRoutes,
  },
  {
    title: "Live",
    description: "What happens, as it happens: server-sent events for users and for developers.",
    routes: liveRoutes,
  },
  {
    title: "Background",
    description: "Events and work that could not be handled and were set aside. Fix the cause, then try them again.",
    routes: backgroundRoutes,
  },
  {
    title: "Refused calls",
    description: "What an app or a developer was refused, counted, with what to do about it.",
    routes: refusalRoutes,
  },
]

/** Every route of the API. */
export const routes: ReadonlyArray<Route<Engagement>> = routeGroups.flatMap((group) => group.routes)
