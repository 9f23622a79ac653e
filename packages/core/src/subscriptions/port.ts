import type { Effect, Option } from "effect"
import type { JsonObject } from "../schema.ts"
import type { FoldedEvent } from "./provider-event.ts"

/** A provider event as it is kept for the fold: of an entry of the inbox, and removed with it. */
export interface SubscriptionEventWrite {
  readonly event: FoldedEvent
  /** By what it is connected with other events: its owner, from whom it takes, its subscription, its aliases. */
  readonly keys: ReadonlyArray<string>
  /** What the provider sent; null keeps what is there. */
  readonly raw: JsonObject | null
}

/** The provider events of a project. They change under its hold only, and go with the entries of the inbox. */
export interface SubscriptionEvents {
  find(entryId: string): Effect.Effect<Option.Option<FoldedEvent>>
  /** Writes events, over those of the same entries. Each entry once. An entry that is not in the inbox is a defect. */
  save(writes: ReadonlyArray<SubscriptionEventWrite>): Effect.Effect<void>
  /** Up to `limit` events that have one of these keys, but for those of the entries `known`. In no order. */
  connected(
    keys: ReadonlyArray<string>,
    known: ReadonlyArray<string>,
    limit: number,
  ): Effect.Effect<ReadonlyArray<FoldedEvent>>
  /** What the provider sent, by entry. */
  listRaw(entryIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, JsonObject>>
  /** Notes that entries concern further users, so that they stay when those are removed whom they named. Skips entries that are gone. */
  share(links: ReadonlyArray<{ readonly inbox_id: string; readonly app_user_id: string }>): Effect.Effect<void>
}

/** What a project's database has for subscriptions. */
export interface SubscriptionsDb {
  readonly subscriptionEvents: SubscriptionEvents
}
