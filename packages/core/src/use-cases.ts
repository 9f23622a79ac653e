import type { Effect } from "effect"
import type { makeAccess } from "./access/index.ts"
import type { makeAchievements, makeUserAchievements } from "./achievements/index.ts"
import type { makeAnalytics } from "./analytics/index.ts"
import type { makeAnonymous, makeClientSessions, makeEmail, makeIdentities, makeMagicLinks } from "./auth/index.ts"
import type { makeDeadLetters, makeWaitingWork } from "./background/index.ts"
import type { Background } from "./background-work.ts"
import type {
  makeClientItems,
  makeContentSchedules,
  makeItems,
  makeLibraries,
  ScheduleDeleteFailed,
} from "./content/index.ts"
import type { makeCurrencies, makeMoveMoney } from "./currencies/index.ts"
import type { makeDeepLinks } from "./deep-links/index.ts"
import type { makeEntitlements } from "./entitlements/index.ts"
import type { makeRecordEffects } from "./event-effects/index.ts"
import type { makeEvents, makeReadEvents } from "./events/index.ts"
import type { makeExports } from "./exports/index.ts"
import type { TenantFailure } from "./failure.ts"
import type { makeFeeds } from "./feeds/index.ts"
import type { makeAdminGroups, makeGroupInvites, makeGroups, makeMemberships } from "./groups/index.ts"
import type { makeIntegrations } from "./integrations/index.ts"
import type { makeLeaderboards } from "./leaderboards/index.ts"
import type { makeLimits } from "./limits/index.ts"
import type { makeLive } from "./live/index.ts"
import type { makeAssets, makeFolders, makeUploads } from "./media/index.ts"
import type { makeAdminMessaging, makeConversations, makeMessages } from "./messaging/index.ts"
import type {
  makeModerationQueue,
  makeModerationRules,
  makeReport,
  makeRulePreview,
  makeTrust,
} from "./moderation/index.ts"
import type { makeOnboarding } from "./onboarding/index.ts"
import type { makeApiKeys, makeDevelopers, makeMembers, makeProjects } from "./projects/index.ts"
import type {
  makeCampaigns,
  makePushReceipts,
  makePushTokens,
  makeReadDeliveries,
  makeSchedulePush,
  makeTestPush,
} from "./push/index.ts"
import type { makeRedeem, makeReferrals } from "./referrals/index.ts"
import type { makeRefusals } from "./refusals/index.ts"
import type { makeRelations } from "./relations/index.ts"
import type { makeManageReviews, makeReviews } from "./reviews/index.ts"
import type { makeRewards } from "./rewards/index.ts"
import type { makeSegments } from "./segments/index.ts"
import type {
  makeCatalog,
  makeInventory,
  makePurchases,
  makeStorefront,
  makeStores,
  takePurchaseBack,
} from "./stores/index.ts"
import type { makeGrantShield, makeStreaks, makeTimelines } from "./streaks/index.ts"
import type { TenantDb } from "./tenant-db.ts"
import type { makeTrackingSessions } from "./tracking-sessions/index.ts"
import type { makeBulkUpdate, makeChangeUser, makeUsers } from "./users/index.ts"
import type {
  makeInboxReading,
  makeReceivePaywall,
  makeReceiveSubscription,
  makeTestWebhook,
} from "./webhooks/index.ts"
import type { makeXp } from "./xp/index.ts"

type Made<Make extends (...given: never) => unknown> = ReturnType<Make>

/**
 * The use cases by feature. Written out, so that each is declared where it is documented: what the compiler writes of an inferred
 * type has no comments.
 */
export interface UseCases {
  readonly access: Made<typeof makeAccess>
  readonly achievements: Made<typeof makeUserAchievements> & Made<typeof makeAchievements>
  readonly adminMessaging: Made<typeof makeAdminMessaging>
  readonly analytics: Made<typeof makeAnalytics>
  readonly apiKeys: Made<typeof makeApiKeys>
  readonly auth: {
    /** Creates a user without an identity and signs it in. `RATE_LIMIT_EXCEEDED` for too many of one address [B14]. */
    readonly anonymous: Made<typeof makeAnonymous>
    readonly email: Made<typeof makeEmail>
    readonly identities: Made<typeof makeIdentities>
    readonly magicLinks: Made<typeof makeMagicLinks>
    readonly sessions: Made<typeof makeClientSessions>
  }
  readonly background: Background
  readonly catalog: Made<typeof makeCatalog>
  readonly content: {
    readonly items: Made<typeof makeItems>
    readonly libraries: Made<typeof makeLibraries> & {
      /**
       * Removes a library with its items, in pieces, once its schedules have ended. Does nothing for an unknown one [I1.1].
       * `SCHEDULE_DELETE_FAILED` without the queue, and then nothing was removed.
       */
      readonly remove: (
        projectId: string,
        libraryId: string,
      ) => Effect.Effect<void, ScheduleDeleteFailed | TenantFailure>
    }
    readonly ofClients: Made<typeof makeClientItems>
    readonly schedules: Made<typeof makeContentSchedules>
  }
  readonly conversations: Made<typeof makeConversations>
  readonly currencies: Made<typeof makeCurrencies> &
    Made<typeof makeMoveMoney<TenantDb, Effect.Error<ReturnType<typeof takePurchaseBack>>>>
  readonly deadLetters: Made<typeof makeDeadLetters>
  readonly deepLinks: Made<typeof makeDeepLinks>
  readonly developers: Made<typeof makeDevelopers>
  readonly entitlements: Made<typeof makeEntitlements>
  readonly events: Made<typeof makeEvents> & Made<typeof makeRecordEffects> & Made<typeof makeReadEvents>
  readonly exports: Made<typeof makeExports>
  readonly feeds: Made<typeof makeFeeds>
  readonly groups: Made<typeof makeGroups> &
    Made<typeof makeMemberships> & {
      readonly invites: Made<typeof makeGroupInvites>
      readonly admin: Made<typeof makeAdminGroups>
    }
  readonly integrations: Made<typeof makeIntegrations>
  readonly inventory: Made<typeof makeInventory>
  readonly leaderboards: Made<typeof makeLeaderboards>
  readonly limits: Made<typeof makeLimits>
  readonly live: Made<typeof makeLive>
  readonly media: Made<typeof makeAssets> & {
    readonly folders: Made<typeof makeFolders>
    readonly files: Made<typeof makeUploads>
  }
  readonly members: Made<typeof makeMembers>
  readonly messages: Made<typeof makeMessages>
  readonly moderation: {
    /** Tries a rule on the newest 1,000 texts of clients. Nothing is changed [I6.5]. `INVALID_RULE_CONFIG`. */
    readonly preview: Made<typeof makeRulePreview>
    readonly queue: Made<typeof makeModerationQueue>
    /**
     * Reports content that the user sees, once per user and text; answers the item in the queue [I6.4]. `NOT_FOUND` for what the user
     * does not see; `RATE_LIMIT_EXCEEDED` [I0.1]; `INVALID_TOKEN` for a user who is gone.
     */
    readonly report: Made<typeof makeReport>
    readonly rules: Made<typeof makeModerationRules>
    readonly trust: Made<typeof makeTrust>
  }
  readonly onboarding: Made<typeof makeOnboarding>
  readonly projects: Made<typeof makeProjects>
  readonly referrals: Made<typeof makeReferrals> & {
    /**
     * Redeems a code for a user: both are given their rewards, and nothing is given where anything fails [G7.3]. `CODE_NOT_FOUND`;
     * `CODE_INACTIVE`; `CODE_EXHAUSTED`; `ALREADY_REDEEMED`; `SELF_REFERRAL`; `NOT_ELIGIBLE` by the program; `RATE_LIMIT_EXCEEDED` for
     * too many codes that are not there [G7.2]; `INVALID_TOKEN` for a user who is gone.
     */
    readonly redeem: Made<typeof makeRedeem>
  }
  readonly purchases: Made<typeof makePurchases>
  readonly pushCampaigns: Made<typeof makeCampaigns> & {
    /**
     * Makes the push to one user at a time: each call is a campaign of its own. `USER_NOT_FOUND`; `INVALID_BODY`; `MISSING_TITLE`;
     * `MISSING_BODY`; `INVALID_DATA`; `INVALID_FIRE_AT`; `FIRE_AT_IN_PAST`; `SCHEDULE_FAILED` without the queue (spec: push-schedule).
     */
    readonly schedule: Made<typeof makeSchedulePush>
    /**
     * Sends one push now, so that a developer sees whether it arrives. No campaign is made. `INVALID_BODY`; `MISSING_TITLE`;
     * `MISSING_BODY`; `MISSING_TARGET`; `MISSING_PROVIDER`; `NO_TOKEN` for an empty one; `NO_ACTIVE_TOKEN` of the user; `PUSH_FAILED`
     * where the provider refuses, `SEND_FAILED` where it does not answer or has no credentials [H4.7].
     */
    readonly test: Made<typeof makeTestPush>
  }
  readonly pushTokens: Made<typeof makePushTokens>
  readonly pushDeliveries: Made<typeof makeReadDeliveries>
  readonly pushReceipts: Made<typeof makePushReceipts>
  readonly refusals: Made<typeof makeRefusals>
  readonly relations: Made<typeof makeRelations>
  readonly reviews: Made<typeof makeReviews> & { readonly manage: Made<typeof makeManageReviews> }
  readonly rewards: Made<typeof makeRewards>
  readonly segments: Made<typeof makeSegments>
  readonly stores: Made<typeof makeStores> & Made<typeof makeStorefront>
  readonly streaks: Made<typeof makeStreaks> & {
    /**
     * Gives a user more freezes for a streak, up to the definition's cap. `count` is 1 where left out. `INVALID_COUNT`;
     * `STREAK_DEFINITION_NOT_FOUND`; `USER_STREAK_NOT_FOUND` for a user who has not begun it (spec: grant-shield).
     */
    readonly grantShield: Made<typeof makeGrantShield>
    readonly timelines: Made<typeof makeTimelines>
  }
  readonly trackingSessions: Made<typeof makeTrackingSessions>
  readonly users: Made<typeof makeUsers> & {
    /**
     * Changes 1 to 1,000 users in one transaction (spec: bulk update). Users who cannot be changed are listed in `failed`, and the others
     * are changed. `INVALID_BODY`; `MISSING_USER_IDS`; `INVALID_USER_IDS`; `BATCH_TOO_LARGE`; `EMPTY_UPDATES`; `INVALID_UUID`;
     * `NOT_FOUND` for a segment to add to that is not there; `SYSTEM_SEGMENT`.
     */
    readonly bulkUpdate: Made<typeof makeBulkUpdate>
    /**
     * Changes a user. Disabling revokes all sessions at once; enabling leaves them revoked [B1]. `NOT_FOUND`; `INVALID_TIMEZONE`;
     * `EXTERNAL_ID_EXISTS`.
     */
    readonly change: Made<typeof makeChangeUser>
  }
  readonly waitingWork: Made<typeof makeWaitingWork>
  readonly webhooks: Made<typeof makeInboxReading> & {
    /**
     * Takes in a webhook of the paywall provider. A duplicate writes nothing [E8]. `MISSING_PROJECT`; `NOT_CONFIGURED`;
     * `INVALID_SIGNATURE`; `INVALID_BODY` for what is no JSON object; `RATE_LIMIT_EXCEEDED` [H2.1].
     */
    readonly receivePaywall: Made<typeof makeReceivePaywall>
    /**
     * Takes in a webhook of the subscription provider. One that is known writes nothing [E7]. `MISSING_PROJECT`; `NOT_CONFIGURED`;
     * `INVALID_SIGNATURE`; `RATE_LIMIT_EXCEEDED` [H2.1].
     */
    readonly receiveSubscription: Made<typeof makeReceiveSubscription>
    /**
     * Takes in a webhook of our own making, with the secret that is stored. It changes nothing but the inbox. `NOT_CONFIGURED` without an
     * active integration; `RATE_LIMIT_EXCEEDED` [H2.1].
     */
    readonly test: Made<typeof makeTestWebhook>
  }
  readonly xp: Made<typeof makeXp>
}
