import { Effect } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { NotFound } from "../failure.ts"
import type { FindIntegration } from "../integrations/find-integration.ts"
import { type ListQuery, readList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import {
  type InboxEntry,
  type InboxEntryView,
  type InboxStatus,
  summarizeEntry,
  type WebhookProvider,
} from "./inbox-entry.ts"
import type { WebhooksDb } from "./port.ts"
import { makeProcessAndFinish } from "./process-entry.ts"
import type { Processors } from "./processor.ts"
import { readSubscription } from "./read-subscription.ts"

/** Which webhooks are listed. */
export interface InboxQuery extends ListQuery {
  readonly provider?: WebhookProvider | null
  readonly status?: InboxStatus | null
  /** A user whom they concern. */
  readonly user_id?: string | null
}

/** An entry as developers see it, with its body. */
const showEntry = (entry: InboxEntry): InboxEntryView => ({
  ...summarizeEntry(entry),
  payload: entry.payload ?? entry.body_text,
})

/** Whether an entry that was ignored stays so: one that cannot be processed, and one of the sandbox unless that is accepted by now. */
const staysIgnored = ({ provider, status, payload }: InboxEntry, acceptsSandbox: boolean): boolean => {
  if (provider !== "subscription" || status !== "ignored") return false
  const read = readSubscription(payload ?? undefined)
  return "problem" in read || (read.is_sandbox && !acceptsSandbox)
}

type InboxDb = BackgroundDb & EventsDb & WebhooksDb

/** The webhooks of a project, for its developers [H2.3]. */
export const makeInboxReading = <Db extends InboxDb>(
  { clock, tenants }: Pick<Ports<Db>, "clock" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  findIntegration: FindIntegration,
  processors: Processors<Db>,
) => {
  const process = makeProcessAndFinish({ clock }, processors)
  const find = (db: Db, id: string) => Effect.map(orFail(db.webhookInbox.find(id), NotFound), showEntry)

  return {
    /** The webhooks that came in, by `provider`, `status` and `user_id`, without bodies, the newest first [H2.3]. */
    inbox: (projectId: string, { provider = null, status = null, user_id = null, ...query }: InboxQuery) =>
      tenants.read(projectId, ({ webhookInbox }) => {
        const filter = { provider, status, user_id }
        return readList(query, {
          page: (slice) => webhookInbox.page(filter, slice),
          after: (place, slice) => webhookInbox.listAfter(filter, place, slice),
          place: ({ received_at, id }) => ({ at: received_at, id }),
        })
      }),

    /** One webhook with its body [H2.3]. `NOT_FOUND`. */
    entry: (projectId: string, id: string) => tenants.read(projectId, (db) => find(db, id)),

    /**
     * Processes one again, now, and answers it as it is then: the result is the same, and nothing is done twice. What was ignored as of
     * the sandbox is judged by today's `accept_sandbox`. `NOT_FOUND` [H2.3].
     */
    replay: Effect.fn("webhooks.replay")(function* (projectId: string, id: string) {
      const integration = yield* findIntegration(projectId, "subscription")
      const acceptsSandbox = integration?.accept_sandbox ?? false
      return yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const entry = yield* orFail(db.webhookInbox.find(id), NotFound)
          if (!staysIgnored(entry, acceptsSandbox)) yield* process(db, entry)
          return yield* find(db, id)
        }),
        { alone: true },
      )
    }),
  }
}
