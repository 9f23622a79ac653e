import type { Effect } from "effect"
import type { InboxEntry, InboxStatus, WebhookProvider } from "./inbox-entry.ts"

/** What processing an entry came to. */
export interface ProcessedEntry {
  readonly status: Exclude<InboxStatus, "received">
  readonly error: string | null
  /** The users whom the entry concerns, the first one first. */
  readonly user_ids: ReadonlyArray<string>
}

/**
 * Processes an entry of the inbox, in the transaction that writes what it came to, under the project's hold: entries of a
 * project are processed one after the other [H2.2]. The same entry may be processed again, with the same result.
 */
export type ProcessEntry<Db> = (db: Db, entry: InboxEntry) => Effect.Effect<ProcessedEntry>

/** Who processes the entries of each provider. */
export type Processors<Db> = Readonly<Record<WebhookProvider, ProcessEntry<Db>>>
