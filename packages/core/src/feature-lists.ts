import { userAchievementsSection } from "./achievements/index.ts"
import { accountLinksSection } from "./auth/index.ts"
import { contentItemsSection, moderatedItems, releaseItems } from "./content/index.ts"
import { currencyTransactionsSection, walletsSection } from "./currencies/index.ts"
import { userEntitlementsSection } from "./entitlements/index.ts"
import { departEvents, engagementEventsSection } from "./events/index.ts"
import type { ExportSection } from "./exports/index.ts"
import { departFeeds, feedItemsSection } from "./feeds/index.ts"
import { groupMembershipsSection, makeDepartFromGroups, moderatedGroups } from "./groups/index.ts"
import { leaderboardEntriesSection } from "./leaderboards/index.ts"
import { makeMediaDeparture, mediaAssetsSection } from "./media/index.ts"
import { conversationsSection, departFromMessaging, messagesSection, moderatedMessages } from "./messaging/index.ts"
import {
  departFromModeration,
  type ModeratedContent,
  moderationReportsSection,
  trustLevelsSection,
} from "./moderation/index.ts"
import { onboardingProgressSection } from "./onboarding/index.ts"
import { pushDeliveriesSection, pushTokensSection } from "./push/index.ts"
import { referralClaimsSection } from "./referrals/index.ts"
import { blocksSection, departRelations, followsSection } from "./relations/index.ts"
import { departReviews, moderatedReviews, reviewsSection } from "./reviews/index.ts"
import { segmentMembershipsSection } from "./segments/index.ts"
import { inventorySection, purchasesSection } from "./stores/index.ts"
import { departStreaks, streakEventsSection, userStreaksSection } from "./streaks/index.ts"
import type { Ports, TenantDb } from "./tenant-db.ts"
import { trackingSessionsSection } from "./tracking-sessions/index.ts"
import { appUsersSection, type Departure } from "./users/index.ts"
import { webhookInboxSection } from "./webhooks/index.ts"
import { departXp, xpEntriesSection } from "./xp/index.ts"

/**
 * The sections of a user's export in the spec's order (spec: data-access bundle): those of further features are before the events,
 * which are the last.
 */
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
  engagementEventsSection,
]

/** What a user takes part in and gives back before being removed, then the events and their traces, in the order of locks [I0.4]. */
export const makeDepartures = (ports: Pick<Ports, "clock" | "ids">): ReadonlyArray<Departure<TenantDb>> => [
  makeDepartFromGroups(ports),
  departRelations,
  departFeeds,
  releaseItems,
  departFromMessaging,
  departReviews,
  makeMediaDeparture(ports),
  departFromModeration,
  departEvents,
  departXp,
  departStreaks,
]

/** What moderators see and decide on beside users: a line per kind of content [I6.2]. */
export const moderatedContents: ReadonlyArray<ModeratedContent<TenantDb>> = [
  moderatedItems,
  moderatedGroups,
  moderatedMessages,
  moderatedReviews,
]
