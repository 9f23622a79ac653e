import type { Effect, Option } from "effect"
import type { ListPlace } from "../list-cursor.ts"
import type { Page, Slice } from "../ports/table.ts"
import type { InboxEntry, InboxRow, InboxStatus, InboxSummary, WebhookProvider } from "./inbox-entry.ts"
import type { ProcessedEntry } from "./processor.ts"

/** Selects entries. Null is no condition; all conditions must hold. */
export interface InboxFilter {
  readonly provider: WebhookProvider | null
  readonly status: InboxStatus | null
  /** A user whom the entry concerns, not only the first one. Left out is null. */
  readonly user_id?: string | null
}

/** What is written of an entry that was processed. */
export interface InboxOutcome extends ProcessedEntry {
  readonly processed_at: Date
  /**
   * The provider's ids by which an entry is found again that is unresolved or concerns nobody; none for others. Each at most 255
   * characters.
   */
  readonly waits_for: ReadonlyArray<string>
}

/** The topic of the outbox that processes an entry. The payload is `{ inbox_id }`. */
export const processTopic = "webhooks.process"

/** The webhooks of a project. */
export interface WebhookInbox {
  /**
   * Takes an entry in, and one that is `received` into the outbox, in one statement that holds outside of a transaction, too.
   * Answers whether its `provider_event_id` was new; otherwise nothing is written.
   */
  take(entry: InboxRow): Effect.Effect<boolean>
  /**
   * Takes in an entry that has a `body_key`, unless one of the provider with the same was received at `since` or later: exactly
   * one of two at once within transactions, at least one outside. Answers whether it was taken in.
   */
  takeBody(entry: InboxRow, since: Date): Effect.Effect<boolean>
  /** Removes the oldest entries without a `provider_event_id` of a provider, but for the newest `count`. */
  keepNewestWithoutId(provider: WebhookProvider, count: number): Effect.Effect<void>
  find(id: string): Effect.Effect<Option.Option<InboxEntry>>
  /** The newest first: by `received_at`, then by `id`. */
  page(filter: InboxFilter, slice: Slice): Effect.Effect<Page<InboxSummary>>
  /** A slice of those that come after a place in that order. */
  listAfter(filter: InboxFilter, place: ListPlace, slice: Slice): Effect.Effect<ReadonlyArray<InboxSummary>>
  /**
   * Writes what processing came to, over what was written before. Users who are gone are left out; the others are locked, in
   * the order of their ids. Nothing happens where the entry is gone.
   */
  finish(id: string, outcome: InboxOutcome): Effect.Effect<void>
  /** Writes `failed` with a sentence of an entry that is `received` or `unresolved`, and nothing else of it. */
  fail(id: string, error: string, at: Date): Effect.Effect<void>
  /** The users of each entry, the first one first. An entry without any is missing. */
  usersOf(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>
  /** The users who have one of these texts as `id`, else as `external_id`, else as `anonymous_id`, by text [H2.2]. */
  resolve(providerIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>>
  /**
   * Adds the unresolved entries that wait for this id to the outbox, by their ids from `after` (null: the first) on, at most
   * `limit` of them. Answers the last one where there may be more, else null.
   */
  enqueueWaiting(providerId: string, after: string | null, limit: number): Effect.Effect<string | null>
  /**
   * Takes a user out of up to `limit` entries, and removes those of them that concern nobody else. Answers whether there may
   * be more. The caller has locked the user.
   */
  forgetUser(userId: string, limit: number): Effect.Effect<boolean>
  /**
   * Removes up to `limit` entries that wait for one of these ids and concern nobody who is here, in the order of their ids.
   * Answers whether there may be more.
   */
  forgetWaiting(providerIds: ReadonlyArray<string>, limit: number): Effect.Effect<boolean>
  /**
   * Removes up to `limit` passing entries that were received before `before`, the oldest first, and answers how many. Those that
   * others have locked are passed over. Passing are ignored ones,
   * those of type `TEST` and all of paywalls; the others are the source of the fold and stay [H2.3].
   */
  removeOld(before: Date, limit: number): Effect.Effect<number>
  /** When the oldest passing entry was received; null where there is none. */
  oldestPassing(): Effect.Effect<Date | null>
}

/** What a project's database has for webhooks. */
export interface WebhooksDb {
  readonly webhookInbox: WebhookInbox
}
