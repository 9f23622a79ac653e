import type { AchievementsDb } from "./achievements/index.ts"
import type { AnalyticsDb } from "./analytics/index.ts"
import type { AuthDb } from "./auth/index.ts"
import type { BackgroundControlDb, BackgroundDb } from "./background/index.ts"
import type { ContentDb, ContentSchedulesDb } from "./content/index.ts"
import type { CurrenciesDb } from "./currencies/index.ts"
import type { DeepLinksControlDb, DeepLinksDb } from "./deep-links/index.ts"
import type { EntitlementsDb } from "./entitlements/index.ts"
import type { EventEffectsDb } from "./event-effects/index.ts"
import type { EventsDb } from "./events/index.ts"
import type { ExportsDb } from "./exports/index.ts"
import type { FeedsDb } from "./feeds/index.ts"
import type { GroupsDb } from "./groups/index.ts"
import type { IdempotencyDb } from "./idempotency/index.ts"
import type { IntegrationsControlDb } from "./integrations/index.ts"
import type { LeaderboardsDb } from "./leaderboards/index.ts"
import type { LiveDb } from "./live/index.ts"
import type { MediaControlDb, MediaDb } from "./media/index.ts"
import type { MessagingDb } from "./messaging/index.ts"
import type { ModerationDb } from "./moderation/index.ts"
import type { OnboardingDb } from "./onboarding/index.ts"
import type { Ports as PortsOver } from "./ports/ports.ts"
import type { ProjectsDb } from "./projects/index.ts"
import type { PushDb } from "./push/index.ts"
import type { ReferralsDb } from "./referrals/index.ts"
import type { RefusalsControlDb } from "./refusals/index.ts"
import type { RelationsDb } from "./relations/index.ts"
import type { ReviewsDb } from "./reviews/index.ts"
import type { RewardsDb } from "./rewards/index.ts"
import type { SegmentsDb } from "./segments/index.ts"
import type { StoresDb } from "./stores/index.ts"
import type { StreaksDb } from "./streaks/index.ts"
import type { SubscriptionsDb } from "./subscriptions/index.ts"
import type { TrackingSessionsDb } from "./tracking-sessions/index.ts"
import type { UsersDb } from "./users/index.ts"
import type { WebhooksDb } from "./webhooks/index.ts"
import type { XpDb } from "./xp/index.ts"

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
    LiveDb,
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
    ProjectsDb,
    RefusalsControlDb {}

/** All that the service needs from outside. */
export interface Ports extends PortsOver<TenantDb, ControlDb> {}
