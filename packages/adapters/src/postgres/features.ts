import { achievementsFeature } from "./achievements/feature.ts"
import { analyticsFeature } from "./analytics/feature.ts"
import { authFeature } from "./auth/feature.ts"
import { backgroundFeature } from "./background/feature.ts"
import { contentFeature } from "./content/feature.ts"
import { currenciesFeature } from "./currencies/feature.ts"
import { deepLinksFeature } from "./deep-links/feature.ts"
import { entitlementsFeature } from "./entitlements/feature.ts"
import { eventEffectsFeature } from "./event-effects/feature.ts"
import { eventsFeature } from "./events/feature.ts"
import { exportsFeature } from "./exports/feature.ts"
import { feedsFeature } from "./feeds/feature.ts"
import { groupsFeature } from "./groups/feature.ts"
import { idempotencyFeature } from "./idempotency/feature.ts"
import { integrationsFeature } from "./integrations/feature.ts"
import { leaderboardsFeature } from "./leaderboards/feature.ts"
import { liveFeature } from "./live/feature.ts"
import { mediaFeature } from "./media/feature.ts"
import { messagingFeature } from "./messaging/feature.ts"
import { moderationFeature } from "./moderation/feature.ts"
import { onboardingFeature } from "./onboarding/feature.ts"
import { projectsFeature } from "./projects/feature.ts"
import { pushFeature } from "./push/feature.ts"
import { referralsFeature } from "./referrals/feature.ts"
import { refusalsFeature } from "./refusals/feature.ts"
import { relationsFeature } from "./relations/feature.ts"
import { reviewsFeature } from "./reviews/feature.ts"
import { rewardsFeature } from "./rewards/feature.ts"
import { segmentsFeature } from "./segments/feature.ts"
import { storesFeature } from "./stores/feature.ts"
import { streaksFeature } from "./streaks/feature.ts"
import { subscriptionsFeature } from "./subscriptions/feature.ts"
import { trackingSessionsFeature } from "./tracking-sessions/feature.ts"
import { usersFeature } from "./users/feature.ts"
import { webhooksFeature } from "./webhooks/feature.ts"
import { xpFeature } from "./xp/feature.ts"

const features = [
  achievementsFeature,
  analyticsFeature,
  authFeature,
  backgroundFeature,
  contentFeature,
  currenciesFeature,
  deepLinksFeature,
  entitlementsFeature,
  eventEffectsFeature,
  eventsFeature,
  exportsFeature,
  feedsFeature,
  groupsFeature,
  idempotencyFeature,
  integrationsFeature,
  leaderboardsFeature,
  liveFeature,
  messagingFeature,
  moderationFeature,
  mediaFeature,
  onboardingFeature,
  projectsFeature,
  pushFeature,
  referralsFeature,
  refusalsFeature,
  relationsFeature,
  reviewsFeature,
  rewardsFeature,
  segmentsFeature,
  storesFeature,
  streaksFeature,
  subscriptionsFeature,
  trackingSessionsFeature,
  usersFeature,
  webhooksFeature,
  xpFeature,
]

/** What the features bring to the databases of projects. */
export const tenantParts = features.flatMap((feature) => ("tenant" in feature ? [feature.tenant] : []))

/** What the features bring to the control database. */
export const controlParts = features.flatMap((feature) => ("control" in feature ? [feature.control] : []))
