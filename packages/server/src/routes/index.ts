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
  { title: "Authentication", routes: authRoutes },
  { title: "Users", routes: userRoutes },
  { title: "Events", routes: eventRoutes },
  { title: "Streaks", routes: streakRoutes },
  { title: "Achievements", routes: achievementRoutes },
  { title: "XP", routes: xpRoutes },
  { title: "Leaderboards", routes: leaderboardRoutes },
  { title: "Developers", routes: developerRoutes },
  { title: "Projects", routes: projectRoutes },
  { title: "Integrations", routes: integrationRoutes },
  { title: "Entitlements", routes: entitlementRoutes },
  { title: "Exports", routes: exportRoutes },
  { title: "Segments", routes: segmentRoutes },
  { title: "Rewards", routes: rewardRoutes },
  { title: "Catalog", routes: catalogRoutes },
  { title: "Stores", routes: storeRoutes },
  { title: "Referrals", routes: referralRoutes },
  { title: "Onboarding", routes: onboardingRoutes },
  { title: "Currencies", routes: currencyRoutes },
  { title: "Content", routes: [...clientItemRoutes, ...libraryRoutes, ...itemRoutes, ...scheduleRoutes] },
  { title: "Deep links", routes: deepLinkRoutes },
  { title: "Tracking sessions", routes: trackingSessionRoutes },
  { title: "Analytics", routes: analyticsRoutes },
  { title: "Groups", routes: [...clientGroupRoutes, ...groupInviteRoutes, ...adminGroupRoutes] },
  { title: "Push", routes: [...pushTokenRoutes, ...pushCampaignRoutes, ...pushDeliveryRoutes] },
  { title: "Feeds", routes: feedRoutes },
  { title: "Relations", routes: relationRoutes },
  { title: "Messaging", routes: [...clientMessagingRoutes, ...adminMessagingRoutes] },
  { title: "Reviews", routes: [...adminReviewRoutes, ...clientReviewRoutes] },
  { title: "Media", routes: [...mediaAssetRoutes, ...mediaFolderRoutes] },
  { title: "Moderation", routes: [...moderationRoutes, ...reportRoutes] },
  { title: "Webhooks", routes: webhookRoutes },
  { title: "Background", routes: backgroundRoutes },
]

/** Every route of the API. */
export const routes: ReadonlyArray<Route<Engagement>> = routeGroups.flatMap((group) => group.routes)
