import type { Effect, Option } from "effect"
import type { Table } from "../../ports/table.ts"
import type { JsonObject } from "../../schema.ts"
import type { PushCampaign, PushStats } from "../campaign.ts"
import type { PushProvider } from "../push-token.ts"
import type { DeliveryStatus, PushDelivery, PushReceipt } from "./delivery.ts"

/** When a campaign fires for the users of a time zone; null is users without one. */
export interface ZoneFiring {
  readonly timezone: string | null
  readonly fire_at: Date
  /** Whether it is too late for them. */
  readonly is_skipped: boolean
}

/** Whom a campaign reaches, fixed for the rest of a transaction: users who are not disabled, with active devices. */
export interface Audience {
  readonly providers: ReadonlyArray<PushProvider>
  /** The time zones of the users, as they are stored; null is users without one. */
  readonly timezones: ReadonlyArray<string | null>
  /**
   * Writes a delivery for each device, and the statistics of the campaign, with `recipients` and `skipped` as numbers of users
   * [H4.4]. A zone of the audience is in `firings` once. With `error` they are all `failed`, but for those who are skipped.
   */
  writeDeliveries(firings: ReadonlyArray<ZoneFiring>, error: string | null): Effect.Effect<void>
}

/** A delivery that was claimed, with what is needed to send it. */
export interface ClaimedDelivery
  extends Pick<PushDelivery, "id" | "app_user_id" | "push_token_id" | "provider" | "fire_at" | "try_at" | "tries"> {
  readonly claimed_at: Date
  /** The provider's token of the device; null where it is not the user's any more, is inactive, or the user is disabled. */
  readonly token: string | null
  readonly display_name: string
  /** Those that were asked for. */
  readonly properties: JsonObject
}

/** Where a delivery stands in the order in which they are claimed: by `try_at`, then `id`. */
export type ClaimPosition = Pick<PushDelivery, "try_at" | "id">

/** What is claimed at once. */
export interface ClaimOptions {
  readonly now: Date
  readonly limit: number
  readonly providers: ReadonlyArray<PushProvider>
  /** Only what stands after it; null is no bound. With it, what was claimed before is not passed over again. */
  readonly after: ClaimPosition | null
  /** The keys, at the top level, of the properties of users that are read. */
  readonly properties: ReadonlyArray<string>
}

/** What became of a claimed delivery. With `pending` it is tried again at `try_at`. */
export interface DeliveryResult extends Pick<ClaimedDelivery, "id" | "app_user_id"> {
  readonly status: "pending" | "sent" | "failed" | "unknown"
  readonly error: string | null
  /** Null leaves it as it is. */
  readonly try_at: Date | null
}

/** A device that receives nothing any more, unless it was registered after `since`. */
export interface DeadDevice {
  readonly push_token_id: string
  readonly reason: string
  readonly since: Date
}

/** What a receipt has changed of a delivery. */
export interface Receipt extends Pick<PushDelivery, "id" | "campaign_id"> {
  readonly delivered_at: Date | null
  readonly opened_at: Date | null
  /** Whether this receipt has set them. */
  readonly is_new_delivered: boolean
  readonly is_new_opened: boolean
}

/** The deliveries of campaigns. Unless it says otherwise, what changes them is for transactions. */
export interface PushDeliveries extends Table<PushDelivery> {
  /**
   * Fixes whom the campaign reaches: all, or the members of its segment. Locks the users, in the order of their ids, against
   * removal. Takes as long as it needs.
   */
  gather(campaign: Pick<PushCampaign, "id" | "segment_id">): Effect.Effect<Audience>
  /**
   * Claims up to `limit` pending deliveries that are due, the longest due first, while the campaign is sending: none that another
   * transaction claims meanwhile. Their `tries` count this one. The campaign cannot end until the transaction does.
   */
  claim(campaignId: string, options: ClaimOptions): Effect.Effect<ReadonlyArray<ClaimedDelivery>>
  /**
   * Writes what became of deliveries that were claimed at `claimedAt`, and answers those that it has changed: what has another
   * state by now stays. Locks their users against removal first, then the deliveries, each in the order of their ids.
   */
  finish(
    results: ReadonlyArray<DeliveryResult>,
    claimedAt: Date,
    now: Date,
  ): Effect.Effect<ReadonlyArray<Pick<PushDelivery, "id" | "app_user_id" | "status">>>
  /** Deactivates devices in the order of their ids. Those registered after their `since` stay active. */
  deactivate(devices: ReadonlyArray<DeadDevice>, now: Date): Effect.Effect<void>
  /** Makes up to `limit` deliveries that were claimed at this instant or earlier `unknown`. Answers how many. */
  giveUp(campaignId: string, claimedUntil: Date, limit: number): Effect.Effect<number>
  /** Ends up to `limit` pending deliveries. Answers how many. */
  settle(
    campaignId: string,
    status: DeliveryStatus & ("failed" | "skipped"),
    error: string,
    limit: number,
  ): Effect.Effect<number>
  /** When the next pending one is due, and since when the oldest claim stands; null where there is none. */
  waiting(campaignId: string): Effect.Effect<{ readonly try_at: Date | null; readonly claimed_at: Date | null }>
  /**
   * Notes what an app reports of its user's delivery; `opened` also sets `delivered_at`. What is set stays. None where the
   * user has no such delivery. Locks the delivery.
   */
  receive(userId: string, receipt: PushReceipt, now: Date): Effect.Effect<Option.Option<Receipt>>
  /** Removes up to `limit` deliveries of a campaign. Answers how many. */
  forget(campaignId: string, limit: number): Effect.Effect<number>
}

/** Counts that are added to those of a campaign. */
export type StatsChanges = Partial<Pick<PushStats, "sent" | "delivered" | "opened" | "failed" | "unknown">>

/** What became of campaigns, a row for each whose recipients were fixed. Removed with the campaign. */
export interface PushStatsRows {
  /** The statistics of the campaigns that exist or not: zeros where there is no row. */
  ofCampaigns(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, PushStats>>
  /** Adds to the counts of a campaign. Its row is locked. */
  add(campaignId: string, changes: StatsChanges): Effect.Effect<void>
  /** Notes that all deliveries of a campaign have ended, since when they are kept [I0.3]. What was noted stays. */
  end(campaignId: string, now: Date): Effect.Effect<void>
  /** Up to `limit` campaigns whose deliveries have not all ended, by id. */
  listOpen(limit: number): Effect.Effect<ReadonlyArray<string>>
  /** The campaign whose deliveries ended first, and when, of those whose deliveries are still there. */
  oldestKept(): Effect.Effect<Option.Option<{ readonly campaign_id: string; readonly ended_at: Date }>>
  /** Notes that the deliveries of a campaign are gone. */
  markForgotten(campaignId: string): Effect.Effect<void>
}

/** What a project's database has for deliveries. */
export interface PushDeliveriesDb {
  readonly pushDeliveries: PushDeliveries
  readonly pushStats: PushStatsRows
}
