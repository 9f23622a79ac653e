import { Effect, Option } from "effect"
import type { OutboxHandler, SetAsideHandler } from "../background/work.ts"
import type { Clock } from "../ports/clock.ts"
import type { InboxEntry } from "./inbox-entry.ts"
import type { WebhooksDb } from "./port.ts"
import type { ProcessEntry, ProcessedEntry, Processors } from "./processor.ts"
import { listProviderIds } from "./provider-ids.ts"

/**
 * Processes an entry and writes what that came to, in the transaction and under the hold of the caller. The entry is read
 * without a lock: only what has the hold changes it, and users are locked before it.
 */
export const makeProcessAndFinish =
  <Db extends WebhooksDb>({ clock }: { readonly clock: Clock }, processors: Processors<Db>): ProcessEntry<Db> =>
  (db, entry) =>
    Effect.gen(function* () {
      const processed: ProcessedEntry = yield* processors[entry.provider](db, entry)
      const isNobodys = processed.status === "unresolved" || processed.user_ids.length === 0
      const waits_for = isNobodys ? listProviderIds(entry) : []
      yield* db.webhookInbox.finish(entry.id, { ...processed, waits_for, processed_at: clock.now() })
      return processed
    })

// What the developer or the intake has decided stays; an entry may be queued twice.
const isDone = ({ status }: InboxEntry) => status === "processed" || status === "ignored"

/** The handler of `webhooks.process`: processes the entry `inbox_id`, unless that was done or the entry is gone. */
export const makeProcessHandler =
  <Db extends WebhooksDb>(process: ProcessEntry<Db>): OutboxHandler<Db> =>
  (db, { inbox_id }) =>
    Effect.gen(function* () {
      const entry = Option.getOrNull(yield* db.webhookInbox.find(String(inbox_id)))
      if (entry !== null && !isDone(entry)) yield* process(db, entry)
      return null
    })

// The developer sees the defect itself among the dead letters.
const defectSentence = "Processing it failed unexpectedly. It is tried again; a replay tries it at once."

/** Shows an entry as `failed` that was set aside for a defect. */
export const makeNoteDefect =
  ({ clock }: { readonly clock: Clock }): SetAsideHandler<WebhooksDb> =>
  (db, { inbox_id }) =>
    db.webhookInbox.fail(String(inbox_id), defectSentence, clock.now())
