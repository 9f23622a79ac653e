import { achievementsSuites } from "../achievements/suites.ts"
import { analyticsSuites } from "../analytics/suites.ts"
import { authSuites } from "../auth/suites.ts"
import { backgroundSuites } from "../background/suites.ts"
import { contentSuites } from "../content/suites.ts"
import { currenciesSuites } from "../currencies/suites.ts"
import { deepLinksSuites } from "../deep-links/suites.ts"
import { entitlementsSuites } from "../entitlements/suites.ts"
import { eventEffectsSuites } from "../event-effects/suites.ts"
import { eventsSuites } from "../events/suites.ts"
import { exportsSuites } from "../exports/suites.ts"
import { feedsSuites } from "../feeds/suites.ts"
import { groupsSuites } from "../groups/suites.ts"
import { idempotencySuites } from "../idempotency/suites.ts"
import { integrationsSuites } from "../integrations/suites.ts"
import { leaderboardsSuites } from "../leaderboards/suites.ts"
import { liveSuites } from "../live/suites.ts"
import { mediaSuites } from "../media/suites.ts"
import { messagingSuites } from "../messaging/suites.ts"
import { moderationSuites } from "../moderation/suites.ts"
import { onboardingSuites } from "../onboarding/suites.ts"
import { projectsSuites } from "../projects/suites.ts"
import { pushSuites } from "../push/suites.ts"
import { referralsSuites } from "../referrals/suites.ts"
import { refusalsSuites } from "../refusals/suites.ts"
import { relationsSuites } from "../relations/suites.ts"
import { reviewsSuites } from "../reviews/suites.ts"
import { rewardsSuites } from "../rewards/suites.ts"
import { segmentsSuites } from "../segments/suites.ts"
import { storesSuites } from "../stores/suites.ts"
import { streaksSuites } from "../streaks/suites.ts"
import { subscriptionsSuites } from "../subscriptions/suites.ts"
import { trackingSessionsSuites } from "../tracking-sessions/suites.ts"
import { usersSuites } from "../users/suites.ts"
import { webhooksSuites } from "../webhooks/suites.ts"
import { xpSuites } from "../xp/suites.ts"
import { controlArguments, tenantArguments } from "./arguments/arguments.contract.ts"
import type { FeatureSuites } from "./feature-suites.ts"

const suites: ReadonlyArray<FeatureSuites> = [
  { tenant: [tenantArguments], control: [controlArguments] },
  achievementsSuites,
  analyticsSuites,
  authSuites,
  backgroundSuites,
  contentSuites,
  currenciesSuites,
  deepLinksSuites,
  entitlementsSuites,
  eventEffectsSuites,
  eventsSuites,
  exportsSuites,
  feedsSuites,
  groupsSuites,
  idempotencySuites,
  integrationsSuites,
  leaderboardsSuites,
  liveSuites,
  mediaSuites,
  messagingSuites,
  moderationSuites,
  onboardingSuites,
  projectsSuites,
  pushSuites,
  referralsSuites,
  refusalsSuites,
  relationsSuites,
  reviewsSuites,
  rewardsSuites,
  segmentsSuites,
  storesSuites,
  streaksSuites,
  subscriptionsSuites,
  trackingSessionsSuites,
  usersSuites,
  webhooksSuites,
  xpSuites,
]

/** What every adapter promises about the databases of projects. */
export const tenantSuites = suites.flatMap(({ tenant = [] }) => tenant)

/** What every adapter promises about the control database. */
export const controlSuites = suites.flatMap(({ control = [] }) => control)
