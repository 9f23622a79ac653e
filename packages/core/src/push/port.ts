import type { Effect, Option } from "effect"
import type { Table } from "../ports/table.ts"
import type { RuleGroup } from "../segments/rules.ts"
import type { UserRow } from "../users/user.ts"
import type { PushCampaign } from "./campaign.ts"
import type { PushDeliveriesDb } from "./deliveries/deliveries-port.ts"
import type { PushToken } from "./push-token.ts"

/**
 * Campaigns. Their deliveries and the segment of a push-schedule are removed with them. Whoever changes a campaign locks it
 * first (`lock`), decides by what it is then, and sets `updated_at`; one that has ended is not changed any more.
 */
export interface PushCampaigns extends Table<PushCampaign> {
  /**
   * Campaigns that are `sending`, or `scheduled` for a time up to `until`: at most `limit`, those that are due for the longest
   * first.
   */
  findOpen(until: Date, limit: number): Effect.Effect<ReadonlyArray<PushCampaign>>
  /** The earliest time after `after` for which a campaign is `scheduled`; null without one. */
  nextScheduledAt(after: Date): Effect.Effect<Date | null>
  /**
   * Removes the segments of push-schedules whose campaigns have ended and were changed last before `before`, at most `limit` of
   * them, the oldest first: `scheduled_for` of these campaigns becomes null [H4.6]. Answers their number.
   */
  forgetSchedules(before: Date, limit: number): Effect.Effect<number>
  /** When the campaign was changed last that ended first, of those whose segment is to be removed; null without one. */
  oldestSchedule(): Effect.Effect<Date | null>
}

/** The devices of users. Unique: `token`, of whatever length. Removed with their user. */
export interface PushTokens extends Table<PushToken> {
  /**
   * Locks the device of this token, whoever has it, and all active ones of the user, by id, so that nobody waits for one of them
   * while holding another. The caller has locked the user.
   */
  lockForUser(userId: string, token: string): Effect.Effect<void>
  /**
   * Writes the device, or, where there is one of its token, gives that to the user: its `id` and `created_at` stay, everything
   * else becomes what is given. Answers the device. The caller has locked the user and called `lockForUser`.
   */
  register(device: PushToken): Effect.Effect<PushToken>
  /**
   * Makes active devices of the user of `current` inactive, those registered longest ago first, until `keep` are left, of which
   * it is one. The caller has called `lockForUser`.
   */
  limitActive(
    current: Pick<PushToken, "id" | "app_user_id">,
    keep: number,
    at: Date,
    reason: string,
  ): Effect.Effect<void>
  /** Makes all active devices of the user inactive. The caller has locked the user. */
  deactivateAll(userId: string, at: Date, reason: string): Effect.Effect<void>
  /** Removes the device of this token, where it is the user's. */
  forget(userId: string, token: string): Effect.Effect<void>
  /** The active device of the user that was registered last. */
  latestActive(userId: string): Effect.Effect<Option.Option<PushToken>>
}

/**
 * Whom a push is for: everybody, members of a segment that were added by hand (`rules` null), or also those whom its rules
 * describe at that moment. Of these, users with at least one active device who are not disabled.
 */
export interface AudienceQuery {
  /** Null is everybody. */
  readonly segment_id: string | null
  readonly rules: RuleGroup | null
}

/** The users of an audience in a time zone, and their active devices by platform. */
export interface AudienceZone {
  /** As users have it; null is UTC. */
  readonly timezone: string | null
  readonly users: number
  readonly ios: number
  readonly android: number
  readonly web: number
}

/** Looks at audiences without writing or locking anything. */
export interface PushAudiences {
  /** An audience by time zone. Zones without users are left out. */
  countZones(audience: AudienceQuery, now: Date): Effect.Effect<ReadonlyArray<AudienceZone>>
  /** Up to `size` users of an audience who are in one of these zones, the latest active first (`last_seen_at`, then `id`). */
  sample(
    audience: AudienceQuery,
    now: Date,
    zones: ReadonlyArray<string | null>,
    size: number,
  ): Effect.Effect<ReadonlyArray<UserRow>>
}

/** What a project's database has for push. */
export interface PushDb extends PushDeliveriesDb {
  readonly pushAudiences: PushAudiences
  readonly pushCampaigns: PushCampaigns
  readonly pushTokens: PushTokens
}
